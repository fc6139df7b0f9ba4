import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { openPage } from '../../tests/support/browser.ts';
import { operatorPassword, visitDesk } from '../../tests/support/desk.ts';
import type { Journey } from '../../tests/support/journey.ts';

/** The environment of a site with a desk. */
export const deskEnvironment = { OPERATOR_PASSWORD: operatorPassword };

/** Both windows are drawn at this scale. */
const scale = 0.75;
const gap = 24;
const wide = { width: 1440, height: 960 };
const narrow = { width: 400, height: 960 };

const messages = [
  ['Ada Lovelace', 'How do I save a slideshow with its sound?'],
  ['Grace Hopper', 'A video stops halfway on my old phone'],
  ['Alan Turing', 'Thank you'],
] as const;

/** Does what the audit log and the list of messages then show. */
async function fillDesk({ get, platform }: Journey): Promise<void> {
  const desk = visitDesk({ get });
  await desk.logIn();
  for (const [name, subject] of messages)
    await get('/api/contact', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        name,
        subject,
        email: 'someone@example.org',
        message: `${subject}. Best, ${name}`,
      }),
    });
  await desk.send('/operator/canary', 'try', { link: platform.link('ordinary') });
  await desk.send('/operator/takedowns', 'add', {
    links: '@someone',
    reason: 'Court order 5 C 12/26',
    days: '',
  });
  await desk.send('/operator/incidents', 'open', { text: 'TikTok refuses many links. We are on it.' });
  await desk.send('/operator/incidents', 'close', { id: '1' });
  await desk.send('/operator/cache', 'one', { address: '/de/contact' });
}

/** Takes `docs/desk.png`: the audit log on a desktop, and messages on a phone. */
export async function takeDeskPicture(browser: Browser, journey: Journey): Promise<void> {
  await fillDesk(journey);
  const picture = async (viewport: typeof wide, colorScheme: 'light' | 'dark', path: string) => {
    const options = { viewport, colorScheme, deviceScaleFactor: scale };
    const { page, context } = await openPage(browser, journey.product.origin, options);
    await page.goto(path);
    await page.locator('input[type=password]').fill(operatorPassword);
    await page.locator('button[type=submit]').click();
    await page.locator('.desk-header').first().waitFor({ state: 'attached' });
    await page.goto(path);
    const shot = await page.screenshot();
    await context.close();
    return shot;
  };
  const log = await picture(wide, 'light', '/operator/log');
  const phone = await picture(narrow, 'dark', '/operator/messages');
  const left = wide.width * scale + gap;
  const size = { width: left + narrow.width * scale, height: wide.height * scale };
  await sharp({ create: { ...size, channels: 3, background: '#ffffff' } })
    .composite([
      { input: log, left: 0, top: 0 },
      { input: phone, left, top: 0 },
    ])
    .png({ palette: true, effort: 10 })
    .toFile('docs/desk.png');
}
