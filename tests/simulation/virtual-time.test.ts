import { expect, it } from 'vitest';
import { withVirtualTime } from './virtual-time.ts';

it('fires timers in the order of their times, and lets promises settle between them', async () => {
  const ticks: string[] = [];
  await withVirtualTime(async (time) => {
    const say = (what: string) => ticks.push(`${time.now()} ${what}`);
    setTimeout(() => say('last'), 500);
    setTimeout(async () => {
      say('first');
      await time.pause(0);
      await time.pause(100);
      say('paused');
    }, 100);
    setTimeout(() => say('beside'), 100);
    const cleared = setTimeout(() => say('never'), 200);
    setTimeout(() => clearTimeout(cleared), 150);
    time.after(10, () => say('never'))();
    await time.run(300);
    say('stopped');
    expect(time.pending).toBe(1);
    await time.run();
    expect(time.pending).toBe(0);
  });
  expect(ticks).toEqual(['100 first', '100 beside', '200 paused', '300 stopped', '500 last']);
});

it('ends a pause with the signal, and restores the real timers', async () => {
  const real = setTimeout;
  const leaving = new AbortController();
  await withVirtualTime(async (time) => {
    expect(setTimeout).not.toBe(real);
    const pause = time.pause(1000, leaving.signal);
    time.after(10, () => leaving.abort(new Error('left')));
    const [ended] = await Promise.allSettled([pause, time.run()]);
    expect(ended).toMatchObject({ status: 'rejected', reason: { message: 'left' } });
    expect(time.now()).toBe(10);
  });
  expect(setTimeout).toBe(real);
});

it('keeps many timers in order', async () => {
  await withVirtualTime(async (time) => {
    const fired: number[] = [];
    for (let at = 0; at < 500; at += 1) time.after((at * 7919) % 1009, () => fired.push(time.now()));
    await time.run();
    expect(fired).toHaveLength(500);
    expect(fired).toEqual(fired.toSorted((one, other) => one - other));
  });
});
