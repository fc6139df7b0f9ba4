import { expect, it } from 'vitest';
import { Encoding, type Lame } from './encoding.ts';

it.each([
  ['leaves out the first samples', 0.005, [1, 1, 0.75, 0.5, 0.25]],
  ['puts silence before them', -0.003, [0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0.75, 0.5, 0.25]],
])('%s, and counts those that came for the end that fades', (_, leftOutS, expected) => {
  const taken: number[] = [];
  const lame: Lame = {
    configure: () => {},
    encode: ([left = new Float32Array(0)]) => {
      taken.push(...left);
      return new Uint8Array(0);
    },
    finalize: () => new Uint8Array(0),
  };
  const encoding = new Encoding(lame);
  const fade = { startS: 0.006, lengthS: 0.004 };
  encoding.start({ type: 'start', inputRate: 1000, outputRate: 44_100, channels: 1, fade, leftOutS });
  for (let n = 0; n < 5; n++)
    encoding.samples({ left: new Float32Array([1, 1]), right: new Float32Array(0) });
  encoding.end(0);
  expect(taken).toEqual(expected);
});
