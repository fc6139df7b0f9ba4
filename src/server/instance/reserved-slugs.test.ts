import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isLocale } from '../../i18n/languages.ts';
import { serverSlugs } from './reserved-slugs.ts';

/** A route's address in source code: the first name of `app.get('/api/state'` and of `url: '/api/files'`. */
const written = /(?:\.(?:get|post|put|delete|all)(?:<[^(]*>)?\(\s*|\burl: )['`]\/([a-z]+)(?=[/'`])/g;

test('reserves the names of all endpoints', () => {
  const files = globSync('src/{app,features,server/{endpoints,instance,pipeline,site-files}}/**/*.ts', {
    exclude: ['**/*.test.ts'],
  });
  const found = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(written)].map(([, name]) => name),
  );
  // Names of languages are reserved anyway.
  const names = new Set(found.filter((name = '') => !isLocale(name)));
  expect([...names].sort()).toEqual([...serverSlugs].sort());
});
