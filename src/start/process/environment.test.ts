import { expect, test } from 'vitest';
import { EnvironmentError, readEnvironment } from './environment.ts';

test('an empty environment gives the documented defaults', () => {
  expect(readEnvironment({})).toMatchObject({
    PORT: 3000,
    HOST: '127.0.0.1',
    DATA_DIR: './data',
    HONOUR_DOWNLOAD_SETTING: false,
    TRUST_PROXY: [],
    withoutEffect: [],
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
  ['CONTENT_URL', 'backend.example'],
  ['SMTP_URL', 'mail.example.org'],
  ['CONTACT_TO', 'a@example.org\nBcc: b@example.org'],
  ['DATABASE_URL', 'mysql://127.0.0.1/clipferry'],
  ['HTTPS_PROXY', 'proxy:3128'],
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

test('lower-case proxy names and empty values are read as usual', () => {
  const read = readEnvironment({ https_proxy: 'http://127.0.0.1:3128', HTTPS_PROXY: '', PORT: '' });
  expect(read.HTTPS_PROXY).toBe('http://127.0.0.1:3128');
  expect(read.PORT).toBe(3000);
});

test('a variable of a part that this version does not have is named, not ignored', () => {
  expect(readEnvironment({ REDIS_URL: 'redis://127.0.0.1' }).withoutEffect).toEqual(['REDIS_URL']);
});

test('mail needs both a server and somebody to write to', () => {
  expect(() => readEnvironment({ SMTP_URL: 'smtp://127.0.0.1' })).toThrow(
    'CONTACT_TO: must be set, because SMTP_URL is',
  );
  expect(() => readEnvironment({ CONTACT_TO: 'a@example.org' })).toThrow('SMTP_URL: must be set');
});
