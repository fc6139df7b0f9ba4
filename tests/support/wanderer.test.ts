import { matchRoutes } from 'react-router';
import { expect, test } from 'vitest';
import routes from '../../src/app/routes.ts';
import { wanderedLocales, wanderedPaths } from './wanderer.ts';

test.each(wanderedLocales)('opens an address of every route in %s', (locale) => {
  const known = routes.map(({ id = '', path = '', index }) =>
    index === true ? { id, index: true as const } : { id, path },
  );
  const opened = new Set(wanderedPaths(locale).map((path) => matchRoutes(known, path)?.at(-1)?.route.id));
  // A language's home page is one of the downloader pages.
  const wanted = routes.map(({ id }) => id).filter((id) => id !== 'home' || locale === 'en');
  expect(wanted.filter((id) => !opened.has(id))).toEqual([]);
});
