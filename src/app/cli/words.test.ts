import { expect, test } from 'vitest';
import { commands } from './commands.ts';
import { orderWords } from './program.ts';

test.each([
  ['', '--help'],
  ['help', '--help'],
  ['help keys', 'keys --help'],
  ['help keys create', 'keys create --help'],
  ['keys help create', 'keys create --help'],
  ['keys', 'keys list'],
  ['keys --json', 'keys list --json'],
  ['keys --json list', 'keys list --json'],
  ['keys --times 3 create partner', 'keys create --times 3 partner'],
  ['keys --help', 'keys --help'],
  ['posts', 'posts'],
  ['posts crate', 'posts crate'],
  ['messages --limit 3', 'messages list --limit 3'],
  ['push --title list send', 'push send --title list'],
  ['statistics pages --days 7', 'statistics pages --days 7'],
])('"%s" is "%s"', (written, read) => {
  const words = written.split(' ').filter(Boolean);
  expect(orderWords(words, commands)).toEqual(read.split(' '));
});
