import { expect, test } from 'vitest';
import { languages, locales } from '../../src/i18n/languages.ts';
import { hasResult, holdQuestions, submitLink, visitTool } from '../support/tool-visits.ts';

const visits = visitTool();

/** Whose `lang` attribute is not what their addresses begin with. */
const otherTags = locales.filter((locale) => languages[locale].lang !== locale);

/** A key of the catalogue that stands where its message should. */
const bareKey = /^[a-z]+\.[a-z0-9.-]+$/m;

test.each(otherTags)('a result in /%s has its messages', async (locale) => {
  const page = await visits.open(`/${locale}`);
  await page.evaluate('globalThis.sameDocument = true');
  await submitLink(page, visits.journey.platform.link('ordinary'));
  await hasResult(page);
  expect(await page.locator('.result').innerText()).not.toMatch(bareKey);
  expect(await page.evaluate('globalThis.sameDocument')).toBe(true);
});

test('the language changes after the code of results has come, and results have its messages', async () => {
  const page = await visits.open('/');
  await Promise.all([page.waitForResponse('**/messages/en/**'), page.locator('#link').focus()]);
  await page.locator('footer').getByRole('link', { name: 'Deutsch' }).click();
  await page.getByRole('heading', { level: 1, name: /herunterladen/ }).waitFor();
  await submitLink(page, visits.journey.platform.link('ordinary'));
  await hasResult(page);
  expect(await page.locator('.result').innerText()).not.toMatch(bareKey);
  await submitLink(page, ['ordinary', 'landscape'].map(visits.journey.platform.link).join(' '));
  await page.locator('.list-head', { hasText: '2 von 2' }).waitFor();
  expect(await page.locator('.list').innerText()).not.toMatch(bareKey);
});

test('messages that do not come after a change of language come with the next look-up', async () => {
  const page = await visits.open('/');
  await Promise.all([page.waitForResponse('**/messages/en/**'), page.locator('#link').focus()]);
  await page.route('**/messages/de/**', (route) => route.fulfill({ status: 503, body: '' }));
  await Promise.all([
    page.waitForResponse('**/messages/de/**'),
    page.locator('footer').getByRole('link', { name: 'Deutsch' }).click(),
  ]);
  await page.getByRole('heading', { level: 1, name: /herunterladen/ }).waitFor();
  await page.unroute('**/messages/de/**');
  await submitLink(page, visits.journey.platform.link('ordinary'));
  await hasResult(page);
  expect(await page.locator('.result').innerText()).not.toMatch(bareKey);
});

test('what is typed, a failure and a look-up go on in another language', async () => {
  const page = await visits.open('/');
  const changeTo = (language: string) => page.locator('footer').getByRole('link', { name: language }).click();
  await page.locator('#link').fill('not sent yet');
  await changeTo('Deutsch');
  await page.getByRole('heading', { level: 1, name: /herunterladen/ }).waitFor();
  expect(await page.locator('#link').inputValue()).toBe('not sent yet');
  await submitLink(page, 'kein Link');
  await page.locator('#tool-failure', { hasText: 'Bitte' }).waitFor();
  await changeTo('English');
  await page.locator('#tool-failure', { hasText: 'Please paste a video address' }).waitFor();
  expect(await page.locator('#link').inputValue()).toBe('kein Link');
  const release = await holdQuestions(page);
  await submitLink(page, visits.journey.platform.link('ordinary'));
  await page.locator('.result-skeleton').waitFor();
  await changeTo('Deutsch');
  await page.getByRole('heading', { level: 1, name: /herunterladen/ }).waitFor();
  await page.locator('.result-skeleton').waitFor();
  release();
  await hasResult(page);
  expect(await page.locator('.result').innerText()).not.toMatch(bareKey);
});
