import { decoder } from '@audio/decode-aac';
import { describe, expect, test } from 'vitest';
import { createMp3Encoder } from 'wasm-media-encoders';
import type { AdtsSound, FadeOut } from '../../../../downloader/media/contracts.ts';
import { fitMp3 } from '../../../../downloader/media/mp3/fit.ts';
import { WasmEncoder } from '../../../../downloader/media/mp3/wasm/wasm-encoder.ts';
import { collect } from '../../../../downloader/media/testing/buffer-source.ts';
import { soundOf, toneAdts, toneFrames } from '../../../../downloader/media/testing/tone.ts';
import { type FramesHead, writeHead } from '../../wire/frames.ts';
import { createStopwatch, encodeFrames, type Measure, readFrames, TooSlow } from './encode-frames.ts';

const { signal } = new AbortController();
const tag = new Uint8Array([0x49, 0x44, 0x33, 1, 2, 3]);
const sound = (): AdtsSound => ({ ...soundOf([toneAdts], toneFrames.length), bytes: toneAdts.length });

const streamOf = (pieces: readonly Uint8Array<ArrayBuffer>[]) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });

/** The server's response, in pieces of any size. */
function answer(
  pieceBytes: number,
  bytes = toneAdts,
  change: Partial<FramesHead> = {},
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { frames: _, ...facts } = sound();
  const head = writeHead({ name: 'a-1.mp3', tagBytes: tag.length, facts, fade: null, ...change });
  const whole = new Uint8Array(Buffer.concat([head, tag, bytes]));
  const pieces = Array.from({ length: Math.ceil(whole.length / pieceBytes) }, (_unused, n) =>
    whole.slice(n * pieceBytes, (n + 1) * pieceBytes),
  );
  return streamOf(pieces);
}

async function encodeHere(body: ReadableStream<Uint8Array>, fade: FadeOut | null = null): Promise<Buffer> {
  const { head, chunks } = await readFrames(body);
  const options = { decoder: await decoder(), lame: await createMp3Encoder(), facts: head.facts, fade };
  const measure: Measure = (_, task) => task();
  return collect(fitMp3(encodeFrames(chunks, { ...options, measure }), head.facts));
}

async function encodeAsServer(fade?: FadeOut): Promise<Buffer> {
  const encoder = new WasmEncoder({ workers: 1 });
  try {
    return await collect(fitMp3(encoder.encode({ sound: sound(), fade, fast: false, signal }), sound()));
  } finally {
    await encoder.close();
  }
}

describe('frames that arrive in pieces of any size', () => {
  test.each([137, 1000, 16_384, 1_000_000])(
    '%d bytes: makes the same mp3 as the server',
    async (pieceBytes) => {
      expect((await encodeHere(answer(pieceBytes))).equals(await encodeAsServer())).toBe(true);
    },
  );

  test('fades a ringtone as the server does', async () => {
    const fade = { startS: 0.5, lengthS: 0.4 };
    const faded = await encodeHere(answer(4096), fade);
    expect(faded.equals(await encodeAsServer(fade))).toBe(true);
    expect(faded.equals(await encodeAsServer())).toBe(false);
  });

  test('refuses a sound that ends early, and files of another kind', async () => {
    await expect(encodeHere(answer(1000, toneAdts.subarray(0, -10)))).rejects.toThrow('early');
    const nonsense = Buffer.alloc(toneAdts.length, 7);
    await expect(encodeHere(answer(1000, nonsense))).rejects.toThrow('not whole ADTS frames');
  });

  test('refuses a wrong head', async () => {
    await expect(readFrames(answer(1000, toneAdts, { name: '' }))).rejects.toThrow();
    const huge = streamOf([new Uint8Array([255, 255, 255, 255, 0])]);
    await expect(readFrames(huge)).rejects.toThrow('a head of 4294967295 bytes');
  });
});

/**
 * A minute of sound, in steps of a second, each of which takes this many ms. @returns when the device was proven, in
 * seconds of sound
 */
function timed(msOfSecond: (n: number) => number, durationS = 60): number | null {
  let [now, done] = [0, 0];
  let provenAtS: number | null = null;
  const measure = createStopwatch(
    durationS,
    4,
    () => {
      provenAtS = done + 1;
    },
    () => now,
  );
  for (; done < durationS; done += 1) {
    // The device is not to blame for waiting for bytes.
    now += 5000;
    measure(1, () => {
      now += msOfSecond(done);
    });
  }
  return provenAtS;
}

test('a device is fast enough after ten seconds show it, or half of a short sound', () => {
  expect(timed(() => 249)).toBe(10);
  expect(timed(() => 249, 8)).toBe(4);
});

test('a slow device gives up then', () => {
  expect(() => timed(() => 251)).toThrow(TooSlow);
});

test('a very slow device gives up after four seconds of work', () => {
  let seconds = 0;
  expect(() =>
    timed((n) => {
      seconds = n + 1;
      return 2000;
    }),
  ).toThrow(TooSlow);
  expect(seconds).toBe(2);
});

test('ignores a slow first second, which the compiler takes', () => {
  expect(timed((n) => (n === 0 ? 1500 : 80))).toBe(10);
});

test('continues when it becomes slow later: most of the work is done, and it holds no place any more', () => {
  expect(timed((n) => (n < 10 ? 100 : 900))).toBe(10);
});
