import { afterEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '../../failures/failures.ts';
import type { ByteSource } from './contracts.ts';
import { readMovie } from './mp4/read-movie.ts';
import { readSound, type SoundRead } from './read-sound.ts';
import { planSound } from './sound-plan.ts';
import { BufferSource, collect } from './testing/buffer-source.ts';
import { buildMp4 } from './testing/mp4-builder.ts';
import { toneFramesOf } from './testing/tone.ts';

const { signal } = new AbortController();
const file = buildMp4({ frames: toneFramesOf(40), pictureBytes: 100_000 });
const movie = await readMovie(new BufferSource(file), signal);
const plan = { ...planSound(movie), mode: 'ranges' as const };
const unhindered = await collect(readSound(new BufferSource(file), movie, plan, { signal }).frames);

const refused = () => new Failure('media_unavailable', { note: '429: not a file' });
afterEach(() => void vi.useRealTimers());

/** A server that answers a number of partial requests, and treats the following ones as given. */
function counting(
  parts: number,
  then: (signal: AbortSignal) => Promise<never>,
  changes: Partial<Pick<ByteSource, 'stream' | 'whole'>> = {},
) {
  const source = new BufferSource(file);
  const requested = { parts: 0, streams: [] as number[], whole: 0 };
  const limited: ByteSource = {
    size: file.length,
    hasRanges: true,
    read: (offset, length, abort) => {
      requested.parts += 1;
      return requested.parts > parts ? then(abort) : source.read(offset, length, abort);
    },
    stream: (start, end, abort) => {
      requested.streams.push(start);
      return (changes.stream ?? ((...values) => source.stream(...values)))(start, end, abort);
    },
    whole: (abort) => {
      requested.whole += 1;
      return (changes.whole ?? ((value) => source.whole(value)))(abort);
    },
  };
  const reads: SoundRead[] = [];
  const observe = (read: SoundRead) => void reads.push(read);
  const frames = () => collect(readSound(limited, movie, plan, { signal, observe, connections: 4 }).frames);
  return { frames, requested, reads };
}

// biome-ignore lint/correctness/useYield: it refuses before there is anything to yield
async function* refusing(): AsyncGenerator<Uint8Array> {
  throw refused();
}

describe('a sound from a server that counts partial requests', () => {
  it('needs many parts', () => expect(plan.runs.length).toBeGreaterThan(40));

  it.each([0, 1, 17, 40])(
    'arrives whole when parts are refused after %i: one read fetches the rest',
    async (parts) => {
      const { frames, requested, reads } = counting(parts, () => Promise.reject(refused()));
      expect((await frames()).equals(unhindered)).toBe(true);
      expect(requested.streams).toHaveLength(1);
      expect(requested.whole).toBe(0);
      expect(reads).toMatchObject([{ fallback: 'refused', requests: requested.parts + 1 }]);
    },
  );

  it.each([1, 25])('also arrives whole when the server sends only the whole file after %i', async (parts) => {
    const { frames, requested, reads } = counting(parts, () => Promise.reject(refused()), {
      stream: refusing,
    });
    expect((await frames()).equals(unhindered)).toBe(true);
    expect([requested.streams.length, requested.whole]).toEqual([1, 1]);
    expect(reads[0]?.savedBytes).toBe(0);
  });

  it('resumes in the middle of a read that breaks off', async () => {
    const source = new BufferSource(file);
    const { frames } = counting(9, () => Promise.reject(refused()), {
      stream: async function* (start, end, abort) {
        let sent = 0;
        for await (const chunk of source.stream(start, end, abort)) {
          sent += chunk.length;
          if (sent > 700_000) throw refused();
          yield chunk;
        }
      },
    });
    expect((await frames()).equals(unhindered)).toBe(true);
  });

  it('arrives in one read when a part is so slow that one read is faster', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { frames, reads } = counting(
      5,
      (abort) =>
        new Promise((_, reject) =>
          abort.addEventListener('abort', () => reject(abort.reason), { once: true }),
        ),
    );
    const reading = frames();
    let isThere = false;
    void reading.then(() => {
      isThere = true;
    });
    // Parts of 8 kB, four at a time: no request is slow before nine seconds.
    await vi.advanceTimersByTimeAsync(8000);
    expect(isThere).toBe(false);
    await vi.advanceTimersByTimeAsync(4000);
    expect((await reading).equals(unhindered)).toBe(true);
    expect(reads).toMatchObject([{ fallback: 'slow' }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('fails when the server sends nothing at all, and when the file itself is wrong', async () => {
    const nothing = counting(3, () => Promise.reject(refused()), { stream: refusing, whole: refusing });
    await expect(nothing.frames()).rejects.toMatchObject({ key: 'media_unavailable' });
    const wrong = counting(3, () => Promise.reject(new Failure('media_invalid')));
    await expect(wrong.frames()).rejects.toMatchObject({ key: 'media_invalid' });
    expect(wrong.requested.streams).toEqual([]);
  });

  it('reports what its parts saved', async () => {
    const { frames, reads } = counting(1000, () => Promise.reject(refused()));
    await frames();
    expect(reads).toMatchObject([{ fallback: null }]);
    expect(reads[0]?.savedBytes).toBeGreaterThan(file.length * 0.8);
  });

  it('is requested in no more parts than allowed', () => {
    for (const maxRequests of [1, 20, 150]) {
      const { mode, runs } = planSound(movie, { maxRequests, latencyMs: 0 });
      expect(mode === 'whole' || runs.length <= maxRequests).toBe(true);
    }
    expect(planSound(movie, { maxRequests: 1, latencyMs: 0 }).mode).toBe('whole');
  });
});
