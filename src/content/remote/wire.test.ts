import { expect, test } from 'vitest';
import { readCategories, readSelection } from './wire.ts';

const picture = { id: 'abc123', file: 'a.jpg', width: 640, height: 480, widths: [320, 640], alt: '' };
const article = {
  id: 1,
  language: 'en',
  slug: 'an-article',
  title: 'An article',
  cover: picture,
  author: 'editors',
  published_at: '2026-11-21T08:00:00Z',
};
const read = (change: object) => readSelection({ recently: [{ ...article, ...change }, article] }).recently;

test.each([
  { slug: '/evil.example/x' },
  { slug: '//evil.example' },
  { slug: '/\\evil.example' },
  { slug: '../x' },
  { slug: 'x?y' },
  { key: 'a/b' },
  { author: '../../x' },
  { title: 'x'.repeat(10_000) },
  { published_at: 'yesterday' },
])('leaves out %j and shows the others', (change) => {
  expect(read(change).map(({ slug }) => slug)).toEqual(['an-article']);
});

test.each([{ id: '../../x' }, { id: 'a b' }, { widths: [1e9] }, { width: -1 }])(
  'does not show a picture with %j',
  (change) => {
    expect(read({ cover: { ...picture, ...change } }).map(({ cover }) => cover)).toEqual([null, picture]);
  },
);

test('returns a list as long as anybody requests', () => {
  const many = Array.from({ length: 5000 }, () => article);
  expect(readSelection({ recently: many }).recently).toHaveLength(100);
});

test.each([{ uid: '../x' }, { uid: 1, slug: '//evil.example' }])('refuses categories with %j', (one) => {
  expect(() => readCategories([one])).toThrow();
});
