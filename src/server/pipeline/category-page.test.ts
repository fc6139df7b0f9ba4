import { expect, test } from 'vitest';
import { shortResponse } from '../http/responses/response.ts';
import { type CategoryUids, categoryPage } from './category-page.ts';
import { contextFor } from './testing/route-context.ts';

async function cookiesFor(path: string, uids: CategoryUids, cookie?: string) {
  const context = contextFor(path, cookie === undefined ? {} : { headers: { cookie } });
  const response = await categoryPage(uids).before(() => shortResponse(200))(context);
  expect(response.status).toBe(200);
  return context.cookies;
}

const some: CategoryUids = async (locale) => (locale === 'de' ? ['how-to', 'news'] : ['how-to']);

test('visitors of the lists receive the uids of their language’s categories', async () => {
  const lines = await cookiesFor('/de/posts/how-to', some);
  expect(lines).toEqual(['category_page=how-to,news; Max-Age=86400; Path=/; HttpOnly; Secure; SameSite=Lax']);
  expect(await cookiesFor('/posts', some)).toHaveLength(1);
});

test('sends them once, and nowhere else', async () => {
  expect(await cookiesFor('/posts', some, 'category_page=how-to')).toEqual([]);
  expect(await cookiesFor('/contact', some)).toEqual([]);
  expect(await cookiesFor('/postscript', some)).toEqual([]);
});

test('serves the page even when the categories are unavailable', async () => {
  const broken: CategoryUids = () => Promise.reject(new Error('database'));
  expect(await cookiesFor('/posts', broken)).toEqual([]);
  expect(await cookiesFor('/posts', async () => ['a;Domain=x', ''])).toEqual([]);
});

test('nobody waits for categories that do not arrive; the earlier ones are good enough', async () => {
  let time = 1;
  let answer: ReturnType<CategoryUids> = Promise.resolve(['how-to']);
  let requested = 0;
  const step = categoryPage(
    () => {
      requested += 1;
      return answer;
    },
    () => time,
  ).before(() => shortResponse(200));
  const cookies = async () => {
    const context = contextFor('/posts');
    await step(context);
    return context.cookies.length;
  };
  expect(await cookies()).toBe(1);
  answer = new Promise(() => undefined);
  // The first request waits for a moment, the next not at all.
  expect(await cookies()).toBe(1);
  for (let n = 0; n < 5; n += 1) expect(await cookies()).toBe(1);
  expect(requested).toBe(2);
  time += 5001;
  answer = Promise.reject(new Error('database'));
  expect(await cookies()).toBe(1);
  expect(requested).toBe(3);
});
