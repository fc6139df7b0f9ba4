import { expect, test } from 'vitest';
import { FrontMatterError, readFrontMatter } from './front-matter.ts';

test('fields and text come apart, and each field knows its line', () => {
  const read = readFrontMatter('\uFEFF---\r\ntitle: "A: b"\ntop: true\n---\n\n# Text\n---\nmore');
  expect(read.fields).toEqual({ title: 'A: b', top: true });
  expect(read.body).toBe('\n# Text\n---\nmore');
  expect([read.lineOf('title'), read.lineOf('top'), read.lineOf('none')]).toEqual([2, 3, 1]);
});

test.each([
  ['no fields at all', 'Text', 1],
  ['no end', '---\ntitle: x\n', 1],
  ['a field twice', '---\ntitle: x\nslug: y\ntitle: z\n---\n', 4],
  ['no YAML', '---\ntitle: x\nslug: [\n---\n', 4],
])('%s is told with its line', (_, source, line) => {
  let told: unknown;
  try {
    readFrontMatter(source);
  } catch (error) {
    told = error;
  }
  expect(told).toBeInstanceOf(FrontMatterError);
  expect((told as FrontMatterError).line).toBe(line);
});

test('aliases that multiply are refused', () => {
  expect(() => readFrontMatter('---\na: &a [1]\nb: [*a, *a]\n---\n').fields).toThrow();
});
