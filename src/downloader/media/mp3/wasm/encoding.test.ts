import { expect, it } from 'vitest';
import { Encoding } from './encoding.ts';
import type { Lame } from './lame-wasm.ts';

it.each([
  ['leaves out the first samples', 0.005, [1, 1, 0.75, 0.5, 0.25]],
  ['puts silence before them', -0.003, [0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0.75, 0.5, 0.25]],
])('%s, and counts those that came for the end that fades', (_, leftOutS, expected) => {
  const taken: number[] = [];
  const input = new Float32Array(20_000);
  const lame = {
    start: () => {},
    input: () => ({ samples: input, left: 0, right: 0 }),
    encode: (count: number) => {
      taken.push(...input.subarray(0, count));
      return new Uint8Array(0);
    },
    flush: () => new Uint8Array(0),
    end: () => {},
  } as unknown as Lame;
  const encoding = new Encoding(lame);
  const fade = { startS: 0.006, lengthS: 0.004 };
  encoding.start({ type: 'start', inputRate: 1000, outputRate: 44_100, channels: 1, fade, leftOutS });
  for (let n = 0; n < 5; n++)
    encoding.samples({ left: new Float32Array([1, 1]), right: new Float32Array(0) });
  encoding.end(0);
  expect(taken).toEqual(expected);
});
