import { expect, test } from 'vitest';
import { isAudit, sample } from '../support/audit/scope.ts';
import { visitInBrowser } from '../support/browser-visit.ts';

const visits = visitInBrowser();

async function openForm(path: string) {
  const opened = await visits.open();
  const { page } = opened;
  await page.goto(path);
  await page.waitForFunction(() => document.querySelector('form.message-form')?.hasAttribute('novalidate'));
  const fill = async (values: Record<string, string>) => {
    for (const [name, value] of Object.entries(values)) await page.fill(`#field-${name}`, value);
  };
  const submit = () => page.click('.message-form button[type=submit]');
  return { ...opened, fill, submit };
}

const written = {
  name: 'Ada',
  email: 'ada@example.org',
  subject: 'A question',
  message: 'How do I save a slideshow with its sound?',
};

test('shows a message beside each wrong field, and focuses the first of them', async () => {
  const { page, problems, fill, submit } = await openForm('/tr/contact');
  await fill({ ...written, email: 'ada@example', message: 'Kısa' });
  await submit();
  await page.waitForSelector('#field-email-fault');
  expect(await page.textContent('#field-message-fault')).toBe('Mesaj en az 20 karakter olmalıdır');
  expect(await page.locator('.form-fault').count()).toBe(2);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-email');
  expect(await page.getAttribute('#field-email', 'aria-describedby')).toContain('field-email-fault');
  expect(await page.inputValue('#field-name')).toBe('Ada');
  expect(problems).toEqual([]);
});

const empty: readonly (readonly [string, readonly string[]])[] = [
  ['/contact', ['Enter your name.', 'Enter your email address.', 'Enter a subject.', 'Enter your message.']],
  ['/tr/contact', ['Adınızı girin.', 'E-posta adresinizi girin.', 'Bir konu girin.', 'Mesajınızı yazın.']],
];

test.each(sample(empty, ([path]) => path === '/tr/contact'))(
  'each empty field of %s has its own message',
  async (path, words) => {
    const { page, submit } = await openForm(path);
    await submit();
    await page.waitForSelector('.form-fault');
    expect(await page.locator('.form-fault').allInnerTexts()).toEqual(words);
  },
);

test('confirms a sent message, and focuses the confirmation', async () => {
  const { page, problems, fill, submit } = await openForm('/contact');
  await fill(written);
  await submit();
  await page.waitForSelector('.message-sent');
  expect(await page.textContent('.message-sent h2')).toBe('Message sent, reply within 48 hours');
  await page.waitForFunction(() => document.activeElement?.className.includes('message-sent'));
  expect(problems).toEqual([]);
});

test('reports a missing network and keeps the text; another attempt works', { skip: !isAudit }, async () => {
  const { page, context, fill, submit } = await openForm('/contact-new1');
  await fill(written);
  await context.setOffline(true);
  await submit();
  await page.waitForSelector('.form-error');
  expect(await page.textContent('.form-error')).toContain('Network error, please try again later');
  expect(await page.inputValue('#field-message')).toBe(written.message);
  await context.setOffline(false);
  await submit();
  await page.waitForSelector('.message-sent');
});

test('a notice requires its statements', async () => {
  const { page, problems, fill, submit } = await openForm('/dmca');
  await fill({
    name: 'Ada',
    email: 'ada@example.org',
    work: 'A dance that I recorded in my own kitchen.',
    links: 'https://www.tiktok.com/@someone/video/7615133378163811813',
    signature: 'Ada Lovelace',
  });
  await page.check('#field-good_faith');
  await submit();
  await page.waitForSelector('#field-accurate-fault');
  expect(await page.locator('.form-fault').count()).toBe(1);
  await page.check('#field-accurate');
  await submit();
  await page.waitForSelector('.message-sent');
  expect(problems).toEqual([]);
});
