import { expect, test } from 'vitest';
import { otherLinks } from './other-links.ts';

const link = (author: string, id: string) => `https://www.tiktok.com/${author}/video/${id}`;
const [one, two, three] = ['7400000000000000001', '7400000000000000002', '7400000000000000003'] as const;
const text = `${link('@ann', one)}?lang=en, ${link('@b.ob', two)}\n${link('@', three)}`;

test('the posts of a text are named by their authors, without the one that is shown', () => {
  expect(otherLinks(text, link('@', one), link('@', two))).toEqual([
    { href: link('@b.ob', two), name: `tiktok.com/@b.ob/video/${two}` },
    { href: link('@', three), name: `tiktok.com/video/${three}` },
  ]);
});

test('a short link is named as the server reads it', () => {
  const short = 'https://vm.tiktok.com/ZMabc/';
  expect(otherLinks(`${link('@ann', one)} ${short}`, link('@ann', one), short)).toEqual([
    { href: short, name: 'vm.tiktok.com/ZMabc/' },
  ]);
});

test('a text with one link has no others, and one with many a few', () => {
  expect(otherLinks(link('@ann', one), link('@ann', one), null)).toEqual([]);
  const many = Array.from({ length: 30 }, (_, at) => link('@ann', `74000000000000001${at + 10}`));
  expect(otherLinks(many.join(' '), many[0] ?? null, many[1] ?? null).length).toBe(5);
});
