import fc from 'fast-check';
import { expect, test } from 'vitest';
import { elementsOf, textOf } from './s3-requests.ts';

const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

test('returns every text in an element, with its references resolved', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 5 }), (texts) => {
      const xml = `<List>${texts.map((text) => `<Item><Key>${escaped(text)}</Key><Size>1</Size></Item>`).join('')}</List>`;
      expect(elementsOf(xml, 'Item').map((item) => textOf(item, 'Key'))).toEqual(texts);
    }),
  );
  expect(textOf('<Key>&quot;a&amp;b&apos; &#x41; &unknown; &#99999999;</Key>', 'Key')).toBe(
    '"a&b\' A &unknown; &#99999999;',
  );
});

test('finds nothing in missing elements, and never fails', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (noise) => {
      expect(textOf(noise.replaceAll('Key', ''), 'Key')).toBeNull();
      elementsOf(`<Item>${noise}`, 'Item');
      textOf(`<Key>${noise}</Key>`, 'Key');
    }),
  );
});
