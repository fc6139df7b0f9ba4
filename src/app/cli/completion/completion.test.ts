import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { commands } from '../commands.ts';
import { placesOf } from './places.ts';
import { bashScript, fishScript, zshScript } from './shells.ts';

const places = placesOf(commands);

/** What bash offers for the last of these words. */
function offered(...words: readonly string[]): string[] {
  const script = `${bashScript('clipferry', places)}
    compopt() { echo "$2"; }
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _clipferry
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const output = execFileSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' });
  return output.split('\n').filter(Boolean);
}

test.each(places)('bash offers everything that may follow "$path"', ({ path, words, completes }) => {
  const typed = ['clipferry', ...path.split(' ').filter(Boolean)];
  const all = words.map(({ word }) => word);
  expect(offered(...typed, '--')).toEqual(all.filter((word) => word.startsWith('--')));
  if (completes === null) expect(offered(...typed, '')).toEqual(all);
});

test('bash completes names, also after "cli" and options', () => {
  expect(offered('clipferry', 'ke')).toEqual(['keys']);
  expect(offered('clipferry', 'cli', 'keys', 'cr')).toEqual(['create']);
  expect(offered('clipferry', 'statistics', '--json', 'pa')).toEqual(['pages']);
  expect(offered('clipferry', 'completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
});

test('bash offers files and folders where a command takes them, and nothing for a free value', () => {
  expect(offered('clipferry', 'backup', 'x')).toEqual(['default']);
  expect(offered('clipferry', 'posts', 'import', '')).toEqual(['dirnames']);
  expect(offered('clipferry', 'keys', 'create', '--times', '')).toEqual([]);
});

test.each([
  ['zsh', zshScript],
  ['fish', fishScript],
])('the script for %s names every command and option', (_, make) => {
  const script = make('clipferry', places);
  for (const { words } of places)
    for (const { word } of words) expect(script).toContain(word.replace(/^--/, ''));
});
