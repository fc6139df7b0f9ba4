import { expect, test } from 'vitest';
import { EnvironmentError, misspelt, readEnvironment } from './environment.ts';

test('an empty environment gives the documented defaults', () => {
  expect(readEnvironment({})).toMatchObject({
    PORT: 3000,
    HOST: '127.0.0.1',
    DATA_DIR: './data',
    HONOUR_DOWNLOAD_SETTING: false,
    TRUST_PROXY: [],
  });
});

test.each([
  ['PORT', '70000'],
  ['PORT', 'http'],
  ['PORT', '-1'],
  ['SITE_CONFIG', '/no/such/file.json'],
  ['SITE_ORIGIN', 'clipferry.example'],
  ['SITE_ORIGIN', 'https://clipferry.example/path'],
  ['SITE_ORIGIN', 'ftp://clipferry.example'],
  ['SECRET_KEY', 'short'],
  ['OPERATOR_PASSWORD', 'elevenchars'],
  ['ALARM_WEBHOOK_URL', 'hooks.example/1'],
  ['ALARM_MAIL', 'operator'],
  ['CONTENT_URL', 'backend.example'],
  ['SENTRY_DSN', 'errors.example/42'],
  ['SENTRY_DSN', 'https://errors.example/42'],
  ['SENTRY_DSN', 'https://key@errors.example/'],
  ['SENTRY_DSN', 'https://key@errors.example/42?x=1'],
  ['SENTRY_DSN', 'ftp://key@errors.example/42'],
  ['SMTP_URL', 'mail.example.org'],
  ['CONTACT_TO', 'a@example.org\nBcc: b@example.org'],
  ['DATABASE_URL', 'mysql://127.0.0.1/clipferry'],
  ['REDIS_URL', '127.0.0.1:6379'],
  ['REDIS_URL', 'http://127.0.0.1:6379'],
  ['REDIS_PREFIX', 'a:b'],
  ['HTTPS_PROXY', 'proxy:3128'],
  ['OUTBOUND_PROXIES', 'proxy:3128'],
  ['OUTBOUND_PROXIES', 'http://a.example:3128, socks4://user:secret@b.example'],
  ['OUTBOUND_PROXIES', 'http://a.example http://a.example:80'],
  ['NODE_EXTRA_CA_CERTS', '/no/such/ca.pem'],
  ['NODE_EXTRA_CA_CERTS', 'package.json'],
  ['USER_AGENTS', 'short'],
  ['CONVERSIONS_WAITING', '-1'],
  ['RESOLVES_PER_MINUTE', '0'],
  ['FILES_PER_MINUTE', 'many'],
  ['MAILS_PER_HOUR', '0'],
  ['MESSAGES_DAYS', '0'],
  ['SUBSCRIPTIONS_PER_HOUR', '0'],
  ['METRICS_PORT', '0'],
  ['TRUST_PROXY', 'everyone'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['LOG_LEVEL', 'loud'],
  ['HONOUR_DOWNLOAD_SETTING', 'maybe'],
  ['FFMPEG_PATH', '/no/such/ffmpeg'],
  ['YTDLP_PATH', 'package.json'],
  ['CONVERSIONS', '0'],
  ['KEPT_FILES_MB', '1'],
])('%s=%s stops the start with one line that names it', (name, value) => {
  const read = () => readEnvironment({ [name]: value });
  expect(read).toThrow(EnvironmentError);
  expect(read).toThrow(new RegExp(`^${name}: [^\\n]+$`));
});

test('reads egresses as a list, and names a wrong one without its content', () => {
  const { OUTBOUND_PROXIES } = readEnvironment({
    OUTBOUND_PROXIES: 'https://user:secret@a.example, socks5://b.example:9050',
  });
  expect(OUTBOUND_PROXIES?.map(({ label }) => label)).toEqual([
    'https://a.example:443',
    'socks5://b.example:9050',
  ]);
  expect(() => readEnvironment({ OUTBOUND_PROXIES: 'http://user:se%zzcret@a.example' })).toThrow(
    /^OUTBOUND_PROXIES: entry 1 of 1 (?!.*cret)/,
  );
});

test('lower-case proxy names and empty values are read as usual', () => {
  const read = readEnvironment({ https_proxy: 'http://127.0.0.1:3128', HTTPS_PROXY: '', PORT: '' });
  expect(read.HTTPS_PROXY).toBe('http://127.0.0.1:3128');
  expect(read.PORT).toBe(3000);
});

const s3 = {
  S3_ENDPOINT: 'https://s3.example',
  S3_BUCKET: 'clipferry',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
};

test('S3 needs its four variables, and has a usual region', () => {
  expect(readEnvironment(s3)).toMatchObject({ ...s3, S3_REGION: 'us-east-1' });
  for (const name of Object.keys(s3))
    expect(() => readEnvironment({ ...s3, [name]: '' })).toThrow(`${name}: must be set, because S3_`);
  expect(() => readEnvironment({ S3_REGION: 'eu-central-1' })).toThrow('S3_ENDPOINT: must be set');
});

test.each([
  ['S3_ENDPOINT', 's3.example'],
  ['S3_ENDPOINT', 'https://user:secret@s3.example'],
  ['S3_ENDPOINT', 'https://s3.example/?x=1'],
  ['S3_BUCKET', 'With/Slash'],
  ['S3_REGION', 'eu central'],
  ['S3_ACCESS_KEY_ID', 'id/with/slashes'],
])('names %s=%s', (name, value) => {
  expect(() => readEnvironment({ ...s3, [name]: value })).toThrow(
    new RegExp(`^${name}: (?!.*secret)[^\\n]+$`),
  );
});

test('leaving all conversions to other processes requires Redis', () => {
  expect(readEnvironment({ CONVERSIONS: '0', REDIS_URL: 'redis://127.0.0.1' }).CONVERSIONS).toBe(0);
  expect(() => readEnvironment({ CONVERSIONS: '0' })).toThrow(/^CONVERSIONS: must be at least 1 without/);
});

test('mail requires both a server and a recipient', () => {
  expect(() => readEnvironment({ SMTP_URL: 'smtp://127.0.0.1' })).toThrow(
    'CONTACT_TO: must be set, because SMTP_URL is',
  );
  expect(() => readEnvironment({ CONTACT_TO: 'a@example.org' })).toThrow('SMTP_URL: must be set');
  expect(() => readEnvironment({ ALARM_MAIL: 'a@example.org' })).toThrow('SMTP_URL: must be set');
});

test('names all wrong variables at once, each on one line', () => {
  expect(() =>
    readEnvironment({
      SECRET_KEY: 'short',
      OPERATOR_PASSWORD: 'short',
      KEPT_FILES_MB: '1',
      SMTP_URL: 'smtp://a',
    }),
  ).toThrow(
    /^SECRET_KEY: [^\n]+\nOPERATOR_PASSWORD: [^\n]+\nKEPT_FILES_MB: [^\n]+\nCONTACT_TO: must be set, because SMTP_URL is$/,
  );
});

test('finds names that are nearly those of settings', () => {
  const found = misspelt({
    ...{ OPERATOR_PASWORD: 'x', ALARM_WEBHOOK_ULR: 'x', REDIS_URI: 'x', S3_BUCKETS: 'x', Secret_Kye: 'x' },
    ...{ SERCET_EKY: 'x' },
    // Set rightly as well, empty, of other programs.
    ...{
      SMTP_URI: 'x',
      SMTP_URL: 'x',
      CONTACT_TOO: '',
      HTTP_PROXY: 'x',
      NODE_ENV: 'x',
      PATH: 'x',
      HOSTNAME: 'x',
    },
    ...{ PORTS: 'x', SITE_DOMAIN: 'x', SITE_CONFIG_FILE: 'x', POSTGRES_PASSWORD: 'x', REDIS_PASSWORD: 'x' },
  });
  expect(found.map(({ name, meant }) => `${name} ${meant}`)).toEqual([
    'OPERATOR_PASWORD OPERATOR_PASSWORD',
    'ALARM_WEBHOOK_ULR ALARM_WEBHOOK_URL',
    'REDIS_URI REDIS_URL',
    'S3_BUCKETS S3_BUCKET',
    'Secret_Kye SECRET_KEY',
    'SERCET_EKY SECRET_KEY',
  ]);
});
