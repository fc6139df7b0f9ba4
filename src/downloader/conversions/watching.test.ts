import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '../../failures/failures.ts';
import type { ConversionStatus } from './contracts.ts';
import { clip, forever, keyOf, setUpConversions } from './testing/conversions-fixture.ts';

const setup = setUpConversions();

describe('watching', () => {
  /** Collects a watcher's states. */
  function watch(number: number) {
    const stop = new AbortController();
    const seen: ConversionStatus[] = [];
    const over = (async () => {
      for await (const status of setup.conversions.watch(clip(number), stop.signal)) seen.push(status);
    })();
    return { seen, states: () => seen.map(({ state }) => state), stop, over };
  }

  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

  it('reports states at once and progress a few times a second, then ends', async () => {
    const watcher = watch(1);
    await vi.waitFor(() => expect(watcher.states()).toEqual(['idle']), 15_000);
    const opening = setup.conversions.open(clip(1), 'a', forever);
    const job = await setup.maker.started(clip(1));
    await vi.waitFor(() => expect(watcher.states().at(-1)).toBe('reading'), 15_000);
    job.prepared(100);
    const file = await opening;
    await vi.waitFor(() => expect(watcher.states().at(-1)).toBe('converting'), 15_000);
    const before = watcher.seen.length;
    for (let count = 0; count < 50; count += 1) await job.chunk('x');
    expect(watcher.seen.length).toBe(before);
    vi.advanceTimersByTime(200);
    await vi.waitFor(() => expect(watcher.seen.at(-1)).toMatchObject({ fraction: 0.5, bytes: 100 }), 15_000);
    expect(watcher.seen.length).toBe(before + 1);
    await job.chunk('y'.repeat(50));
    job.end();
    await watcher.over;
    expect(watcher.seen.at(-1)).toMatchObject({ state: 'done', fraction: 1 });
    file.release();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('reports a failure, and a better position in the queue', async () => {
    setup.conversions = setup.create({ parallel: 1 });
    const openings = ['a', 'b', 'c'].map((visitor, at) =>
      keyOf(setup.conversions.open(clip(at), visitor, forever)),
    );
    const first = await setup.maker.started(clip(0));
    await vi.waitFor(async () => expect((await setup.conversions.status(clip(2))).ahead).toBe(1), 15_000);
    const watcher = watch(2);
    await vi.waitFor(() => expect(watcher.seen).toMatchObject([{ state: 'waiting', ahead: 1 }]), 15_000);
    first.fail(new Failure('post_gone'));
    await setup.maker.started(clip(1));
    vi.advanceTimersByTime(200);
    await vi.waitFor(() => expect(watcher.seen.at(-1)).toMatchObject({ state: 'waiting', ahead: 0 }), 15_000);
    (await setup.maker.started(clip(1))).fail(new Failure('post_gone'));
    (await setup.maker.started(clip(2))).fail(new Failure('post_gone'));
    await watcher.over;
    expect(watcher.seen.at(-1)).toMatchObject({ state: 'failed', error: 'post_gone' });
    expect(await Promise.all(openings)).toEqual(Array(3).fill('post_gone'));
  });

  it('reports a second attempt from its beginning, not from the end of the first', async () => {
    const first = keyOf(setup.conversions.open(clip(1), 'a', forever));
    (await setup.maker.started(clip(1))).fail(new Failure('platform_timeout'));
    expect(await first).toBe('platform_timeout');
    const watcher = watch(1);
    await vi.waitFor(() => expect(watcher.states()).toEqual(['idle']), 15_000);
    expect((await setup.conversions.status(clip(1))).state).toBe('failed');
    const second = keyOf(setup.conversions.open(clip(1), 'a', forever));
    await setup.maker.started(clip(1), 2);
    await setup.conversions.cancel(clip(1), 'a');
    await watcher.over;
    expect(watcher.states().at(-1)).toBe('cancelled');
    expect(await second).toBe('conversion_cancelled');
  });

  it('ends silently when the watcher leaves', async () => {
    const watcher = watch(1);
    await vi.waitFor(() => expect(watcher.seen.length).toBe(1), 15_000);
    watcher.stop.abort();
    await watcher.over;
    expect(watcher.states()).toEqual(['idle']);
    expect(vi.getTimerCount()).toBe(0);
  });
});
