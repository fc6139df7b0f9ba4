import { expect, test } from 'vitest';
import { misspelt } from './settings.ts';

test('finds names that are nearly those of settings', () => {
  const found = misspelt({
    ...{ KEPT_FILE_MB: 'x', CACHE_ADMIN_SERCET: 'x', REDIS_URI: 'x', S3_BUCKETS: 'x', Secret_Kye: 'x' },
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
    ...{ SITE_FOLDER: 'x', CLIPFERRY_IMAGE: 'x', MORE_SITES: 'x', CONVERTERS: 'x', SITE_UPSTREAMS: 'x' },
  });
  expect(found.map(({ name, meant }) => `${name} ${meant}`)).toEqual([
    'KEPT_FILE_MB KEPT_FILES_MB',
    'CACHE_ADMIN_SERCET CACHE_ADMIN_SECRET',
    'REDIS_URI REDIS_URL',
    'S3_BUCKETS S3_BUCKET',
    'Secret_Kye SECRET_KEY',
  ]);
});
