import { expect, test, vi } from 'vitest';
import { createCachedTexts } from './cached-texts.ts';

test('makes a text once for all callers, until the content changes', async () => {
  let revision = 0;
  const texts = createCachedTexts(() => revision);
  const make = vi.fn(async () => `<feed>${'x'.repeat(1000)}</feed>`);
  const [one, other] = await Promise.all([texts('feed', make), texts('feed', make)]);
  expect(other).toBe(one);
  expect(await texts('feed', make)).toBe(one);
  expect(make).toHaveBeenCalledTimes(1);
  expect(await texts('another feed', make)).not.toBe(one);
  revision += 1;
  expect(await texts('feed', make)).not.toBe(one);
  expect(make).toHaveBeenCalledTimes(3);
});

test('compresses a text once for each encoding', async () => {
  const text = await createCachedTexts(() => 0)('feed', async () => 'x'.repeat(1000));
  const forms = (['br', 'gzip', null] as const).map((wanted) => text?.form(wanted));
  expect(forms.map((form) => form?.encoding)).toEqual(['br', 'gzip', null]);
  expect(new Set(forms.map((form) => form?.etag)).size).toBe(3);
  expect(text?.form('br')).toBe(forms[0]);
});

test('makes a missing or failed text again on the next request', async () => {
  const texts = createCachedTexts(() => 0);
  expect(await texts('feed', async () => null)).toBeNull();
  await expect(texts('feed', () => Promise.reject(new Error('the database is away')))).rejects.toThrow(
    'away',
  );
  expect(await texts('feed', async () => 'there')).not.toBeNull();
});
