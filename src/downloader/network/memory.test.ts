import { expect, test } from 'vitest';
import { ownCopy, partOf, releaseChunk } from './memory.ts';

const lengths = (...chunks: Buffer[]) => chunks.map(({ length }) => length);

test('releases memory with the last of a piece and its parts', () => {
  const piece = Buffer.allocUnsafeSlow(100);
  const [one, other] = [partOf(piece, 0, 40), partOf(piece, 40, 100)];
  releaseChunk(one);
  releaseChunk(piece);
  expect(lengths(piece, one, other)).toEqual([100, 40, 60]);
  releaseChunk(other);
  expect(lengths(piece, one, other)).toEqual([0, 0, 0]);
});

test('leaves shared memory to the garbage collector', () => {
  const shared = Buffer.allocUnsafeSlow(100).subarray(10);
  const part = partOf(shared, 0, 5);
  releaseChunk(part);
  releaseChunk(shared);
  expect(lengths(shared, part)).toEqual([90, 5]);
});

test('a copy has its own memory, and the original does not', () => {
  const copy = ownCopy(Buffer.from('ab'), Buffer.from('c'));
  expect(copy.toString()).toBe('abc');
  releaseChunk(copy);
  expect(copy.length).toBe(0);
});
