import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type S3Double, startS3Double } from '../../doubles/s3/server.ts';
import { freePort } from '../../src/stores/contracts/testing/services/free-port.ts';
import { isAudit } from '../support/audit/scope.ts';
import { runCli } from '../support/cli.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { type PlatformProcess, startPlatform } from '../support/platform.ts';
import { hasFfmpeg } from '../support/probe.ts';
import { type RunningProduct, startProduct } from '../support/product.ts';
import { siteFile } from '../support/site-file.ts';

interface Finding {
  readonly name: string;
  readonly of?: string;
  readonly level: 'ok' | 'warning' | 'error';
  readonly what: string;
  readonly todo?: string;
}

let platform: PlatformProcess;
let s3: S3Double;
let mail: MailServer;
let product: RunningProduct;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  [platform, s3, mail] = await Promise.all([startPlatform(), startS3Double(), startMailServer()]);
  const shared = {
    ...platform.environment,
    ...s3.environment,
    SMTP_URL: mail.url,
    CONTACT_TO: 'operator@example.org',
  };
  product = await startProduct({ env: shared });
  env = {
    ...{ ...shared, DATA_DIR: product.dataFolder, SITE_ORIGIN: product.origin },
    PORT: new URL(product.origin).port,
  };
});
afterAll(async () => {
  await product.stop();
  await Promise.all([platform.stop(), s3.close(), mail.stop()]);
});

async function doctor(changes: Readonly<Record<string, string>> = {}, ...words: readonly string[]) {
  const line = ['doctor', '--post', platform.link('ordinary'), '--json', ...words];
  const { code, output, errors } = await runCli(line, { ...env, ...changes });
  expect(errors).toBe('');
  const { ok, checks } = JSON.parse(output) as { ok: boolean; checks: Finding[] };
  const of = (level: Finding['level']) =>
    checks.filter((one) => one.level === level).map((one) => `${one.name} ${one.of ?? ''}`.trim());
  return { code, ok, checks, output, errors: of('error'), warnings: of('warning') };
}

test('a running site has no errors; missing TLS is a warning, which fails on request', async () => {
  const found = await doctor();
  expect(found.checks.filter(({ level }) => level === 'error')).toEqual([]);
  expect(found.warnings).toEqual(hasFfmpeg ? ['front tls'] : ['ffmpeg', 'front tls']);
  expect([found.code, found.ok]).toEqual([0, true]);
  const names = new Set(found.checks.map(({ name }) => name));
  expect([...names]).toEqual(
    expect.arrayContaining(
      'configuration versions port permissions disk database s3 clock platform ffmpeg front mail alarms backups desk'.split(
        ' ',
      ),
    ),
  );
  expect(found.checks.filter(({ name }) => name === 'platform').map((one) => one.of)).toContain('page');
  expect(mail.mails).toEqual([]);
  const alarms = async (...words: readonly string[]) =>
    (await doctor({ ALARM_MAIL: 'operator@example.org' }, ...words)).checks.filter(
      ({ name, level }) => name === 'alarms' && level === 'ok',
    );
  expect([await alarms('--tell'), mail.mails]).toMatchObject([[{ of: 'mail' }], [{ to: expect.anything() }]]);
  expect([...s3.bucket.objects.keys()].filter((key) => key.includes('doctor'))).toEqual([]);
  expect((await doctor({}, '--strict')).code).toBe(1);
});

test('names everything that is wrong, with what to do, and without a secret', async () => {
  const closed = await freePort();
  chmodSync(join(product.dataFolder, 'secret-key'), 0o644);
  const found = await doctor({
    REDIS_URL: `redis://user:redis-secret@127.0.0.1:${closed}`,
    SMTP_URL: `smtp://user:mail-secret@127.0.0.1:${closed}`,
    S3_SECRET_ACCESS_KEY: 'another-s3-secret',
    SITE_ORIGIN: `https://127.0.0.1:${closed}`,
    OUTBOUND_PROXIES: `http://user:proxy-secret@127.0.0.1:${closed}`,
    SECRET_KEY: 'a secret key that is long enough.',
    // Another program's.
    PORT: new URL(s3.environment.S3_ENDPOINT ?? '').port,
  });
  chmodSync(join(product.dataFolder, 'secret-key'), 0o600);
  expect([found.code, found.ok]).toEqual([1, false]);
  expect(found.errors).toEqual(
    expect.arrayContaining([
      ...['port PORT', 'permissions', 'redis', 's3', 'front', 'mail', `platform http://127.0.0.1:${closed}`],
    ]),
  );
  expect(found.output).not.toMatch(/redis-secret|mail-secret|s3-secret|proxy-secret|long enough/);
  expect(found.checks.find(({ name }) => name === 'permissions')?.todo).toMatch(/^chmod 0600 /);
  expect(found.checks.filter(({ level, todo }) => level !== 'ok' && !todo)).toEqual([]);
  // What its own check tells is told once.
  expect(found.warnings).toContain('clock');
});

test('every wrong setting is an error of its own, also in the site file, and a misspelt one is named', async () => {
  const wrong = await doctor({
    ...{ PORT: 'many', OPERATOR_PASSWORD: 'short', OPERATOR_PASSWORDS_FIEL: '/x' },
    SITE_CONFIG: siteFile({ locales: ['xx'] }),
  });
  const names = ['PORT', 'OPERATOR_PASSWORD', 'OPERATOR_PASSWORDS_FIEL', 'SITE_CONFIG'];
  expect([wrong.code, new Set(wrong.errors)]).toEqual([1, new Set(names.map((of) => `configuration ${of}`))]);
  expect(wrong.output).toContain('OPERATOR_PASSWORDS_FILE is a setting');
});

test('for people it prints a line for each finding', { skip: !isAudit }, async () => {
  const { code, output } = await runCli(['doctor', '--post', platform.link('ordinary')], env);
  expect(code).toBe(0);
  const lines = output.trimEnd().split('\n');
  expect(lines.pop()).toBe('0 error(s), 1 warning(s).');
  for (const line of lines) expect(line).toMatch(/^(?:ok {5}|warning) {2}[a-z0-9]/);
});
