import { expect, test } from 'vitest';
import { type PartsHead, prefixOf, type Sign, signs, writeHead } from '../../../wire/slideshow-parts.ts';
import { readParts } from './read-parts.ts';

const head: PartsHead = {
  name: 'a-1.mp4',
  tags: { title: 'A', artist: '', sourceUrl: '' },
  slides: 3,
  sound: { format: 'aac', isPlain: true },
};
const text = (what: string) => new TextEncoder().encode(what);
const part = (sign: Sign, what: Uint8Array = text('')) => [prefixOf(sign, what.length), what];
const whole = [
  ...part(signs.head, writeHead(head)),
  ...part(signs.sound, text('so')),
  ...part(signs.sound, text('und')),
  ...part(signs.picture, text('one')),
  ...part(signs.missing),
  ...part(signs.picture, text('three')),
  ...part(signs.end),
];

/** The same bytes in pieces of this size. */
function bodyOf(parts: readonly Uint8Array[], pieceBytes: number): ReadableStream<Uint8Array> {
  const bytes = new Uint8Array(Buffer.concat(parts));
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += pieceBytes)
        controller.enqueue(bytes.slice(at, at + pieceBytes));
      controller.close();
    },
  });
}

test.each([1, 7, 1000])('restores the parts that were sent from pieces of %d bytes', async (pieceBytes) => {
  const fractions: number[] = [];
  const parts = await readParts(bodyOf(whole, pieceBytes), (fraction) => fractions.push(fraction));
  expect(parts.head).toEqual(head);
  expect(Buffer.from(parts.sound ?? []).toString()).toBe('sound');
  expect(await Promise.all(parts.pictures.map((one) => one.text()))).toEqual(['one', 'three']);
  expect(fractions).toEqual([0, 0, 1 / 3, 2 / 3, 1]);
});

test('drops a sound that broke off, and says so', async () => {
  const lost = [...whole.slice(0, 4), ...part(signs.soundLost), ...whole.slice(6)];
  const parts = await readParts(bodyOf(lost, 7), () => {});
  expect(parts).toMatchObject({ sound: null, isSoundLost: true });
  expect(parts.pictures).toHaveLength(2);
  expect(await readParts(bodyOf(whole, 7), () => {})).toMatchObject({ isSoundLost: false });
});

test.each<[string, readonly Uint8Array[], string]>([
  ['that end early', whole.slice(0, -3), 'early'],
  ['without a head', part(signs.picture, text('one')), 'without a head'],
  ['of an unknown kind', [new Uint8Array([9, 0, 0, 0, 0])], 'a part 9'],
  [
    'that announce more than there can be',
    [new Uint8Array([signs.head, 255, 255, 255, 255])],
    'of 4294967295',
  ],
])('refuses parts %s', async (_, parts, reason) => {
  await expect(readParts(bodyOf(parts, 10), () => {})).rejects.toThrow(reason);
});
