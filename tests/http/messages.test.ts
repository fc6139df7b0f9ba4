import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAudit } from '../support/audit/scope.ts';
import { runCli } from '../support/cli.ts';
import { journeyEngines } from '../support/database-places.ts';
import { startMailServer } from '../support/mail-server.ts';
import { makeDataFolder, type RunningProduct, startProduct } from '../support/product.ts';
import { until } from '../support/until.ts';

const written = {
  name: 'Ada',
  email: 'ada@example.org',
  subject: 'A question',
  message: 'How do I save a slideshow with its sound?',
};

const notice = {
  name: 'Ada',
  email: 'ada@example.org',
  work: 'A dance that I recorded in my own kitchen.',
  links: 'https://www.tiktok.com/@someone/video/7615133378163811813',
  good_faith: 'yes',
  accurate: 'yes',
  signature: 'Ada Lovelace',
};

const post = (product: RunningProduct, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(product.origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const submit = (product: RunningProduct, path: string, fields: Record<string, string>) =>
  fetch(product.origin + path, {
    method: 'POST',
    headers: { origin: product.origin },
    body: new URLSearchParams(fields),
  });

async function listed(env: Readonly<Record<string, string>>) {
  const { output } = await runCli(['messages', 'list', '--json'], env);
  return JSON.parse(output) as {
    id: number;
    reference: string;
    form: string;
    name: string;
    mailState: string;
  }[];
}

describe.each(journeyEngines)('messages on $name', (engine) => {
  test('a confirmed message is stored, even when the process is killed at that moment', async () => {
    const place = await engine.makePlace();
    const env = { ...place.environment, MESSAGES_PER_HOUR: '1000' };
    const product = await startProduct({ env });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        post(product, '/api/contact', { ...written, name: `Visitor ${n}` }),
      ),
    );
    const references = await Promise.all(
      answers.map(async (answer) => {
        expect(answer.status).toBe(200);
        const body = (await answer.json()) as { code: number; cscode: number; data: { reference: string } };
        expect(body).toMatchObject({ code: 200, cscode: 200 });
        return body.data.reference;
      }),
    );
    await product.stop('SIGKILL');
    const kept = await listed({ DATA_DIR: product.dataFolder, ...env });
    expect(kept.map(({ reference }) => reference).sort()).toEqual(references.sort());
    await place.remove();
  });

  test('mail arrives once, after refusals and across a restart', { skip: !isAudit }, async () => {
    const place = await engine.makePlace();
    const mail = await startMailServer(1);
    const env = {
      ...place.environment,
      SMTP_URL: mail.url,
      CONTACT_TO: 'desk@clipferry.example',
      ACKNOWLEDGEMENTS_PER_HOUR: '0',
    };
    const first = await startProduct({ env });
    await post(first, '/api/contact', { ...written, subject: 'Grüße\r\nBcc: all@example.org' });
    await until('the first attempt was refused', () => mail.attempts() === 1);
    await first.stop();
    const second = await startProduct({ env });
    await until('the mail came', () => mail.mails.length === 1, 20_000);
    await post(second, '/api/dmca', notice);
    await until('the notice came', () => mail.mails.length === 2);
    await second.stop();
    const states = (await listed(env)).map(({ form, mailState }) => [form, mailState]);
    expect(states).toEqual([
      ['dmca', 'sent'],
      ['contact', 'sent'],
    ]);
    const [question] = mail.mails;
    expect(question?.to).toEqual(['<desk@clipferry.example>']);
    expect(question?.headers.filter((line) => /^bcc:/i.test(line))).toEqual([]);
    expect(question?.headers).toContain('Reply-To: Ada <ada@example.org>');
    await mail.stop();
    await place.remove();
  });
});

describe.each(journeyEngines)('bounds on $name', (engine) => {
  test('many simultaneous messages lead to one acknowledgement for a mailbox, and to a limited number of mails to the operator', {
    skip: !isAudit,
  }, async () => {
    const place = await engine.makePlace();
    const mail = await startMailServer();
    const env = {
      ...place.environment,
      SMTP_URL: mail.url,
      CONTACT_TO: 'desk@clipferry.example',
      MESSAGES_PER_HOUR: '1000',
      MAILS_PER_HOUR: '3',
    };
    const product = await startProduct({ env });
    const commandEnv = { DATA_DIR: product.dataFolder, ...env };
    const hourNow = () => Math.floor(Date.now() / 3_600_000);
    const firstHour = hourNow();
    await Promise.all(Array.from({ length: 60 }, () => post(product, '/api/contact', written)));
    const results = (result: string) => product.metric('clipferry_mails_total', { kind: 'message', result });
    await until(
      'all mails were sent or given up',
      async () => (await results('sent')) + (await results('over_limit')) === 60,
      20_000,
    );
    const isToDesk = ({ to }: { readonly to: readonly string[] }) => to.includes('<desk@clipferry.example>');
    await until('the acknowledgement came', () => mail.mails.some((one) => !isToDesk(one)));
    const toDesk = mail.mails.filter(isToDesk);
    expect(mail.mails.length - toDesk.length).toBe(1);
    expect(toDesk.length).toBeGreaterThanOrEqual(3);
    // Two hours allow more mails than one, in case another one begins just now.
    expect(toDesk.length).toBeLessThanOrEqual(3 * (hourNow() - firstHour + 1));
    expect([toDesk.at(0), toDesk.at(-1)].map((one) => one?.body.includes('MAILS_PER_HOUR'))).toEqual([
      false,
      true,
    ]);
    expect(await product.metric('clipferry_messages')).toBe(60);
    expect(await product.metric('clipferry_messages', { mail: 'waiting' })).toBe(0);
    expect(await product.metric('clipferry_acknowledgements', { mail: 'sent' })).toBe(1);
    expect((await runCli(['messages', 'list', '--limit', '100', '--json'], commandEnv)).output).toMatch(
      /"mailState": "failed"/,
    );
    await product.stop();
    await mail.stop();
    await place.remove();
  });
});

test('all visitors together may leave a limited number of messages, and the operator deletes unwanted ones', {
  skip: !isAudit,
}, async () => {
  const dataFolder = makeDataFolder();
  const env = { MESSAGES_PER_HOUR: '1', TRUST_PROXY: '127.0.0.1' };
  const product = await startProduct({ env, dataFolder });
  const commandEnv = { DATA_DIR: dataFolder };
  const write = (n: number, email = `v${n}@example.org`) =>
    post(product, '/api/contact', { ...written, email }, { 'x-forwarded-for': `198.51.${n}.1` });
  const statuses = await Promise.all(Array.from({ length: 49 }, async (_, n) => (await write(n)).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect((await write(100, 'Ada.Byron+x@gmail.com')).status).toBe(200);
  const refused = await write(200);
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ code: 429, error: { key: 'message_limit' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
  expect(await product.metric('clipferry_rows_refused_total', { table: 'messages' })).toBe(1);
  await product.stop();

  const cli = (...words: string[]) => runCli(['messages', ...words], commandEnv);
  const list = await cli('list', '--limit', '100');
  expect(list.errors).toContain('room for: 1 messages.');
  const [newest] = await listed(commandEnv);
  expect((await cli('delete', '--email', 'adabyron@googlemail.com', '--json')).output).toContain(
    '"deleted": 1',
  );
  expect((await cli('delete', String(newest?.id))).code).toBe(1);
  const [next] = await listed(commandEnv);
  expect((await cli('delete', String(next?.id))).output).toBe(`Message #${next?.id} deleted.\n`);
  expect((await listed(commandEnv)).length).toBe(48);
  for (const wrong of [[], ['--email', 'nobody']]) expect((await cli('delete', ...wrong)).code).toBe(2);
  rmSync(dataFolder, { recursive: true, force: true });
});

describe('the mail to the visitor', () => {
  const toDesk = '<desk@clipferry.example>';

  test('says in their language that the message arrived, with its number and nothing that was typed', async () => {
    const mail = await startMailServer(0, ['<nobody@example.org>']);
    const product = await startProduct({
      env: { SMTP_URL: mail.url, CONTACT_TO: 'desk@clipferry.example', MESSAGES_PER_HOUR: '100' },
    });
    const toVisitors = () => mail.mails.filter(({ to }) => !to.includes(toDesk));
    const referenceIn = async (answer: Response) =>
      ((await answer.json()) as { data: { reference: string } }).data.reference;

    const reference = await referenceIn(await post(product, '/api/contact?locale=de', written));
    await until('both mails came', () => mail.mails.length === 2);
    const [acknowledgement] = toVisitors();
    expect(acknowledgement?.to).toEqual(['<ada@example.org>']);
    expect(acknowledgement?.from).toContain('<contact@clipferry.example>');
    expect(acknowledgement?.headers).toEqual(
      expect.arrayContaining(['Auto-Submitted: auto-replied', 'Content-Language: de']),
    );
    const headers = acknowledgement?.headers.join('\n') ?? '';
    expect(headers).not.toContain('desk@');
    const text = `${headers}\n${acknowledgement?.body}`;
    expect(text).toContain(`#${reference}`);
    expect(text).toContain('48 Stunden');
    for (const typed of [written.subject, written.message, written.name])
      expect(text).not.toMatch(new RegExp(`(?<!\\p{L})${typed}(?!\\p{L}|@)`, 'u'));

    // Nobody gets two mails a day, programs get none, and an unknown mailbox is not retried.
    await post(product, '/api/contact', { ...written, email: 'ADA+again@example.org' });
    await post(product, '/api/contact', { ...written, email: 'bot@example.org', company_website: 'x' });
    await post(product, '/api/contact', { ...written, email: 'nobody@example.org' });
    await post(product, '/api/dmca', { ...notice, email: 'grace@example.org' });
    await until('the last mails came', () => toVisitors().length === 2 && mail.mails.length === 6);
    expect(toVisitors().map(({ to }) => to[0])).toEqual(['<ada@example.org>', '<grace@example.org>']);
    const metrics = await (await fetch(`${product.origin}/metrics`)).text();
    expect(metrics).toContain('clipferry_mails_total{kind="acknowledgement",result="given_up"} 1');
    await product.stop();
    await mail.stop();
  });
});

describe('a site that mails nothing', () => {
  let product: RunningProduct;
  beforeAll(async () => {
    product = await startProduct({ env: { MESSAGES_PER_HOUR: '1000' } });
  });
  afterAll(() => product.stop());

  describe('the forms', () => {
    test.each([
      ['en', 'Your message needs at least 20 characters.'],
      ['tr', 'Mesaj en az 20 karakter olmalıdır'],
      ['ar', 'يجب ألّا تقل الرسالة عن 20 حرفًا.'],
    ])('say in %s what is wrong with each field', async (locale, short) => {
      const answer = await post(product, `/api/contact?locale=${locale}`, {
        ...written,
        name: ' ',
        email: 'ada@example',
        message: 'Too short',
      });
      expect(answer.status).toBe(422);
      const { error } = (await answer.json()) as {
        error: { key: string; fields: Record<string, { key: string; message: string }> };
      };
      expect(error.key).toBe('form_invalid');
      expect(Object.entries(error.fields).map(([name, { key }]) => [name, key])).toEqual([
        ['name', 'required'],
        ['email', 'email'],
        ['message', 'short'],
      ]);
      expect(error.fields.message?.message).toBe(short);
    });

    test.each(Object.keys(written))('refuses 10 kB in %s with its name', async (field) => {
      const answer = await post(product, '/api/contact', { ...written, [field]: 'x'.repeat(10_000) });
      expect(answer.status).toBe(422);
      const { error } = (await answer.json()) as { error: { fields: object } };
      expect(Object.keys(error.fields)).toEqual([field]);
    });

    test('work without scripts: an error is beside its field, and correct values are kept', async () => {
      const wrong = await submit(product, '/tr/contact', {
        ...written,
        message: 'Kısa',
        subject: '<b>Soru</b>',
      });
      expect(wrong.status).toBe(422);
      expect(wrong.headers.get('cache-control')).toBe('no-store');
      const page = await wrong.text();
      expect(page).toContain('Mesaj en az 20 karakter olmalıdır');
      expect(page).toContain('value="&lt;b&gt;Soru&lt;/b&gt;"');
      const sent = await submit(product, '/contact-new1', written);
      expect(sent.status).toBe(200);
      expect(await sent.text()).toContain('Message sent, reply within 48 hours');
      const noticed = await submit(product, '/dmca', notice);
      expect(await noticed.text()).toContain('Message sent, reply within 48 hours');
      const { work: _, accurate: __, ...incomplete } = notice;
      const refused = await (
        await submit(product, '/dmca', { ...incomplete, links: 'see my profile' })
      ).text();
      for (const id of ['work', 'accurate', 'links']) expect(refused).toContain(`id="field-${id}-fault"`);
    });

    test('are not accepted from another site, nor as anything but a form', async () => {
      const before = (await listed({ DATA_DIR: product.dataFolder })).length;
      const foreign = await fetch(`${product.origin}/contact`, {
        method: 'POST',
        headers: { origin: 'https://evil.example' },
        body: new URLSearchParams(written),
      });
      expect(foreign.status).toBe(403);
      expect((await post(product, '/api/contact', [written])).status).toBe(400);
      expect((await post(product, '/api/contact', { name: { toString: 'Ada' } })).status).toBe(422);
      expect((await listed({ DATA_DIR: product.dataFolder })).length).toBe(before);
    });

    test('store what a program filled into the trap separately, without mailing it', async () => {
      await post(product, '/api/contact', {
        ...written,
        name: 'Program',
        company_website: 'https://spam.example',
      });
      const kept = await listed({ DATA_DIR: product.dataFolder });
      expect(kept.find(({ name }) => name === 'Program')).toMatchObject({ mailState: 'unwanted' });
    });

    test('are limited for each visitor', async () => {
      const limited = await startProduct({ env: { MESSAGES_PER_HOUR: '2' } });
      const statuses: number[] = [];
      for (let n = 0; n < 3; n++) statuses.push((await post(limited, '/api/contact', written)).status);
      expect(statuses).toEqual([200, 200, 429]);
      // The limit is one for an hour, and the page says so like the API.
      const page = await fetch(`${limited.origin}/contact`, {
        method: 'POST',
        body: new URLSearchParams(written),
      });
      for (const refused of [await post(limited, '/api/contact', written), page]) {
        expect(refused.status).toBe(429);
        const waitS = Number(refused.headers.get('retry-after'));
        expect([waitS > 3000, waitS <= 3600]).toEqual([true, true]);
      }
      // A mistake is free: a corrected message still gets through.
      expect((await post(limited, '/api/contact', { ...written, email: '' })).status).toBe(422);
      await limited.stop();
    });

    test('are printed for the operator without terminal commands', { skip: !isAudit }, async () => {
      const answer = await post(product, '/api/contact', {
        ...written,
        message: 'A long enough text with \x1b[31mred\x1b[0m and \u009b31m in it.',
      });
      const { data } = (await answer.json()) as { data: { reference: string } };
      const env = { DATA_DIR: product.dataFolder };
      const shown = await runCli(['messages', 'show', data.reference.toLowerCase()], env);
      expect(shown.code).toBe(0);
      expect(shown.output).toContain('in it.');
      const json = await runCli(['messages', 'show', data.reference, '--json'], env);
      const { id, reference } = JSON.parse(json.output) as { id: number; reference: string };
      expect(reference).toBe(data.reference);
      expect((await runCli(['messages', 'show', String(id)], env)).output).toBe(shown.output);
      for (const { output } of [shown, json]) expect(output).not.toMatch(/[^\P{Cc}\n]/u);
      expect((await runCli(['messages', 'show', '999999'], { DATA_DIR: product.dataFolder })).code).toBe(1);
      expect((await runCli(['messages', 'shout'], { DATA_DIR: product.dataFolder })).code).toBe(2);
    });
  });

  describe('the writer’s address', () => {
    const cookiesAfter = async (path: string, body: object, headers: Record<string, string>) => {
      const answer = await post(product, path, body, headers);
      return answer.headers.getSetCookie();
    };
    const agreed = { cookie: 'consent=1.10' };

    test('is stored for a visitor who agreed to statistics and sent the contact form', async () => {
      const email = "o'neil+me@example.org";
      expect(await cookiesAfter('/api/contact', { ...written, email: ` ${email} ` }, agreed)).toEqual([
        `email=${encodeURIComponent(email)}; Max-Age=315360000; Path=/; SameSite=Lax`,
      ]);
    });

    test.each([
      ['who has not answered', '/api/contact', written, {}],
      ['who refused', '/api/contact', written, { cookie: 'consent=1.01' }],
      ['whose answer is to another question', '/api/contact', written, { cookie: 'consent=0.11' }],
      ['whose browser refuses', '/api/contact', written, { ...agreed, 'sec-gpc': '1' }],
      ['whose message was not taken', '/api/contact', { ...written, message: 'Short' }, agreed],
      ['who sends a copyright notice', '/api/dmca', notice, agreed],
    ])('is not stored by %s', async (_, path, body, headers) => {
      expect(await cookiesAfter(path, body, headers)).toEqual([]);
    });
  });
});
