import { expect, test } from 'vitest';
import { readEnvironment } from './environment.ts';
import { defineVariables, EnvironmentError, secret } from './variables.ts';

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
  ['SITE_DIR', 'package.json'],
  ['SITE_ORIGIN', 'clipferry.example'],
  ['SITE_ORIGIN', 'https://clipferry.example/path'],
  ['SITE_ORIGIN', 'ftp://clipferry.example'],
  ['SECRET_KEY', 'short'],
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

test("takes the site configuration of the site's folder, unless a file is named", () => {
  const SITE_DIR = process.cwd();
  expect(readEnvironment({ SITE_DIR }).SITE_CONFIG).toBe(`${SITE_DIR}/site.config.json`);
  expect(readEnvironment({ SITE_DIR, SITE_CONFIG: 'site.demo.json' }).SITE_CONFIG).toBe('site.demo.json');
  expect(readEnvironment({ SITE_DIR: `${SITE_DIR}/src` }).SITE_CONFIG).toBe('site.config.json');
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
});

const ofFeature = defineVariables({ PASSWORD: secret(12).optional() }, { PASSWORD: 'HTTPS_PROXY' });

test('names all wrong variables at once, also those of features, each on one line', () => {
  const wrong = { SECRET_KEY: 'short', PASSWORD: 'short', KEPT_FILES_MB: '1', SMTP_URL: 'smtp://a' };
  expect(() => readEnvironment(wrong, [ofFeature])).toThrow(
    /^SECRET_KEY: [^\n]+\nKEPT_FILES_MB: [^\n]+\nCONTACT_TO: must be set, because SMTP_URL is\nPASSWORD: [^\n]+$/,
  );
});

test('a feature reads its own variables, and may require one of the core', () => {
  const set = { PASSWORD: 'a long password', HTTPS_PROXY: 'http://127.0.0.1:3128' };
  expect(ofFeature.read(readEnvironment(set))).toEqual({ PASSWORD: 'a long password' });
  const alone = { PASSWORD: set.PASSWORD };
  expect(() => readEnvironment(alone, [ofFeature])).toThrow('HTTPS_PROXY: must be set, because PASSWORD is');
});

test('a variable of two owners stops the start', () => {
  const same = defineVariables({ PORT: secret(12).optional() });
  expect(() => readEnvironment({}, [same])).toThrow('environment variable "PORT"');
});
