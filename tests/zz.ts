import { mkdirSync } from 'node:fs';
import { launchBrowser } from './support/browser.ts';
import { operatorPassword, visitDesk } from './support/desk.ts';
import { startJourney } from './support/journey.ts';
mkdirSync('/tmp/deskrun/shots', { recursive: true });
const journey = await startJourney({ env: { OPERATOR_PASSWORD: operatorPassword, SMTP_URL: 'smtp://127.0.0.1:9', CONTACT_TO: 'a@example.org' } });
const browser = await launchBrowser();
try {
  const desk = visitDesk(journey);
  await desk.logIn();
  for (const n of [1, 2, 3]) await journey.get('/api/contact', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ name: `Ada Lovelace ${n}`, email: 'ada.lovelace.of.the.engine@example.org', subject: n === 2 ? 'Downloads of slideshows with very long titles do not finish on my old phone since yesterday' : 'A question', message: 'How do I save a slideshow with its sound?\n\nI tried twice, and it gave me pictures alone.\nhttps://www.tiktok.com/@someone/video/7615133378163811813' }) });
  await desk.send('/operator/messages/1', 'answer', { text: 'Choose “Sound” below the pictures.' });
  await desk.send('/operator/takedowns', 'add', { links: journey.platform.link('ordinary'), reason: 'Notice 12 of Example Music Ltd., copyright', days: '90' });
  await desk.send('/operator/takedowns', 'add', { links: '@someone', reason: 'Court order 5 C 12/26', days: '' });
  await desk.send('/operator/incidents', 'open', { text: 'TikTok refuses many links since 9:00. We are on it.' });
  await desk.send('/operator/cache', 'one', { address: '/de/contact' });
  await desk.logIn('wrong'); 
  const cpu = process.cpuUsage();
  const t0 = performance.now();
  for (let i = 0; i < 50; i++) await desk.read('/operator/log');
  console.log('log page ms', (performance.now() - t0) / 50, process.cpuUsage(cpu));
  for (const [name, width, scheme] of [['360', 360, 'light'], ['360', 360, 'dark'], ['768', 768, 'light'], ['1440', 1440, 'light'], ['1440', 1440, 'dark'], ['768', 768, 'dark']] as const) {
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme: scheme, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${journey.product.origin}/operator/messages`);
    await page.screenshot({ path: `/tmp/deskrun/shots/log-in-${name}-${scheme}.png`, fullPage: true });
    await page.fill('input[type=password]', operatorPassword);
    await page.click('button[type=submit]');
    for (const path of ['messages', 'messages/1', 'takedowns', 'incidents', 'canary', 'cache', 'promotions', 'log']) {
      await page.goto(`${journey.product.origin}/operator/${path}`);
      if (path === 'canary') { await page.fill('#field-link', journey.platform.link('ordinary')); await page.click('main form button'); }
      await page.screenshot({ path: `/tmp/deskrun/shots/${path.replace('/', '-')}-${name}-${scheme}.png`, fullPage: true });
      const wide = await page.evaluate('document.documentElement.scrollWidth').catch(() => 'no js');
      console.log(path, name, scheme, wide);
    }
    await context.close();
  }
} finally { await browser.close(); await journey.stop(); }
