import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { bookmarkletRecipe, linksRecipe, telegramRecipe } from '../../src/site/pages/api/recipes.ts';
import type { Journey } from '../support/journey.ts';
import { sharedJourney } from '../support/shared-journey.ts';

let journey: Journey;
beforeAll(async () => {
  journey = await sharedJourney();
});

const hasCurl = await promisify(execFile)('curl', ['--version']).then(
  () => true,
  () => false,
);

test.runIf(hasCurl)('the shell recipe saves the links of a file, and names the others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recipe-'));
  await writeFile(join(folder, 'save.sh'), linksRecipe(journey.product.origin));
  const links = ['ordinary', 'deleted', 'photos'].map((name) => journey.platform.link(name));
  await writeFile(join(folder, 'links.txt'), `${links.join('\n')}\n`);
  const { stderr } = await promisify(execFile)('sh', ['save.sh'], { cwd: folder });
  expect(stderr).toBe(`not saved: ${links[1]}\n`);
  const saved = (await readdir(folder)).filter((name) => name.startsWith('ferry.captain-'));
  expect(saved.map((name) => name.replace(/.*\./, '')).sort()).toEqual(['jpg', 'mp4']);
});

test('the Telegram bot answers a link with its file, and anything else with the reason', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recipe-'));
  await writeFile(join(folder, 'bot.mjs'), telegramRecipe(journey.product.origin));
  const waiting = [journey.platform.link('ordinary'), 'hello'].map((text, at) => ({
    update_id: at + 1,
    message: { chat: { id: 7 }, text },
  }));
  const { promise: both, resolve } = Promise.withResolvers<void>();
  const sent: { method: string; form: FormData | null; json: unknown }[] = [];
  const server = createServer(async (request, response) => {
    const method = request.url?.split('/').at(-1) ?? '';
    const type = request.headers['content-type'] ?? '';
    const body = new Response(Buffer.concat(await request.toArray()), { headers: { 'content-type': type } });
    const isForm = type.startsWith('multipart/');
    const [form, json] = isForm ? [await body.formData(), null] : [null, (await body.json()) as unknown];
    if (method !== 'getUpdates') sent.push({ method, form, json });
    if (sent.length === 2) resolve();
    response.end(JSON.stringify({ ok: true, result: method === 'getUpdates' ? waiting.splice(0) : {} }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const bot = spawn(process.execPath, ['bot.mjs'], {
    cwd: folder,
    env: {
      TELEGRAM_TOKEN: 'token',
      TELEGRAM_API: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
  });
  onTestFinished(() => {
    bot.kill();
    server.close();
  });
  await both;
  const [file, reason] = sent;
  expect(file).toMatchObject({ method: 'sendDocument' });
  const document = file?.form?.get('document') as File;
  expect(document.name).toMatch(/^ferry\.captain-\d+\.mp4$/);
  expect(document.size).toBeGreaterThan(10_000);
  expect(reason).toMatchObject({ method: 'sendMessage', json: { chat_id: 7 } });
});

test('the bookmarklet opens the post of the page that is shown', async () => {
  const opened: string[] = [];
  const link = journey.platform.link('ordinary');
  const code = bookmarkletRecipe(journey.product.origin).replace('javascript:', '');
  new Function('open', 'location', code)((url: string) => opened.push(url), { href: link });
  expect(await (await fetch(opened[0] ?? '')).text()).toContain('Morning crossing');
});
