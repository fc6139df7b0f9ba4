import { expect, test } from 'vitest';
import { corePaths } from './core-paths.ts';
import { openApiDocument } from './document.ts';

test('every call has its own responses, and refers to those that every call may have', () => {
  const own = { description: 'Wrong.' };
  const call = { operationId: 'own', summary: 'Has an error of its own.', responses: { 422: own } };
  const { paths, components } = JSON.parse(
    JSON.stringify(openApiDocument('https://site.example', { ...corePaths, '/own': { get: call } })),
  );
  expect(paths['/own'].get.responses).toMatchObject({
    422: own,
    429: { $ref: '#/components/responses/429' },
  });
  expect(paths['/api/resolve'].post.responses).toMatchObject({
    200: { description: 'The post and its files.' },
    422: { $ref: '#/components/responses/422' },
  });
  const references = [
    ...JSON.stringify({ paths, components }).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g),
  ];
  expect(references.length).toBeGreaterThan(50);
  for (const [, kind = '', name = ''] of references) expect(components[kind]).toHaveProperty(name);
});
