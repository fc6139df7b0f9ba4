import { expect, test } from 'vitest';
import type { Category, Content } from '../content.ts';
import { cacheLists } from './cached-lists.ts';

function countingContent(answer: () => Promise<readonly Category[]> = async () => []) {
  const requested: string[] = [];
  const content = {
    categories: (locale: string) => {
      requested.push(locale);
      return answer();
    },
  } as unknown as Content;
  return { content, requested };
}

test('requests each language once, at the same time and for five seconds', async () => {
  const { content, requested } = countingContent();
  let time = 1;
  const kept = cacheLists(content, () => time);
  await Promise.all([kept.categories('en'), kept.categories('en'), kept.categories('de')]);
  time += 4999;
  await kept.categories('en');
  expect(requested).toEqual(['en', 'de']);
  time += 2;
  await kept.categories('en');
  expect(requested).toEqual(['en', 'de', 'en']);
});

test('shows a change at once', async () => {
  const { content, requested } = countingContent();
  const kept = cacheLists(content);
  await kept.categories('en');
  kept.clear();
  await kept.categories('en');
  expect(requested).toEqual(['en', 'en']);
});

test('passes a failure to every waiting caller and does not cache it', async () => {
  let fails = true;
  const { content, requested } = countingContent(async () => {
    if (fails) throw new Error('database');
    return [];
  });
  const kept = cacheLists(content);
  await expect(kept.categories('en')).rejects.toThrow('database');
  fails = false;
  expect(await kept.categories('en')).toEqual([]);
  expect(requested).toEqual(['en', 'en']);
});
