import { decoder } from '@audio/decode-aac';
import { describe, expect, test } from 'vitest';
import { createMp3Encoder } from 'wasm-media-encoders';
import type { AdtsSound, FadeOut } from '../../../../downloader/media/contracts.ts';
import { fitMp3 } from '../../../../downloader/media/mp3/fit.ts';
import { WasmEncoder } from '../../../../downloader/media/mp3/wasm/wasm-encoder.ts';
import { collect } from '../../../../downloader/media/testing/buffer-source.ts';
import { soundOf, toneAdts, toneFrames } from '../../../../downloader/media/testing/tone.ts';
import { type FramesHead, writeHead } from '../../wire/frames.ts';
import { encodeFrames } from './encode-frames.ts';
import { readFrames } from './read-frames.ts';
import type { Measure } from './stopwatch.ts';

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
