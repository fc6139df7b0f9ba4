import { expect, test } from 'vitest';
import { commands } from './commands.ts';
import { completeWords } from './program.ts';

test.each([
  ['', '--help'],
  ['help', '--help'],
  ['help keys', 'keys --help'],
  ['help keys create', 'keys create --help'],
  ['keys', 'keys list'],
  ['keys --json', 'keys list --json'],
  ['keys --help', 'keys --help'],
  ['posts', 'posts'],
  ['posts crate', 'posts crate'],
  ['messages --limit 3', 'messages list --limit 3'],
  ['statistics pages --days 7', 'statistics pages --days 7'],
])('"%s" is "%s"', (written, read) => {
  const words = written.split(' ').filter(Boolean);
  expect(completeWords(words, commands)).toEqual(read.split(' '));
});
