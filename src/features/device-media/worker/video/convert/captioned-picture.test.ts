import { expect, test } from 'vitest';
import { breakLines, isRightToLeft } from './captioned-picture.ts';

/** As wide as its letters are many; those of CJK are twice as wide. */
const widthOf = (text: string) => [...text].reduce((sum, letter) => sum + (letter > '⺀' ? 2 : 1), 0);
const broken = (text: string, language: string, width: number) => breakLines(text, language, width, widthOf);

test.each([
  ['one line', 'en', 20, 'Cast off', ['Cast off']],
  ['lines of about one length', 'en', 20, 'Cast off and hold on tight', ['Cast off and', 'hold on tight']],
  ['lines as they were written', 'en', 20, 'One\nTwo', ['One', 'Two']],
  [
    'no mark at a line’s beginning',
    'ja',
    12,
    '海は静かです。船が出ます。',
    ['海は', '静かです。', '船が出ます。'],
  ],
  ['no particle at a line’s beginning', 'zh', 8, '我们的船很大', ['我们的', '船很大']],
  ['words without spaces', 'th', 8, 'เรือออกแล้ว', ['เรือออก', 'แล้ว']],
  ['a word that is too long', 'en', 5, 'abcdefghij', ['abcde', 'fghij']],
  ['a tag that is none', 'no language!', 9, 'Cast off now', ['Cast off', 'now']],
])('breaks %s', (_, language, width, text, lines) => {
  const found = broken(text, language, width);
  for (const line of found) expect(widthOf(line)).toBeLessThanOrEqual(width);
  expect(found).toEqual(lines);
});

test('a text’s direction is that of its first letter', () => {
  expect(['مرحبا', '«שלום»', '12 مرحبا', 'Hello مرحبا', '123', ''].map(isRightToLeft)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
