import { expect, test } from 'vitest';
import type { SiteServices } from '../../site/loaders/services.ts';
import { shortResponse } from '../http/responses/response.ts';
import { accessLog, injectionStore } from './steps.ts';
import { contextFor } from './testing/route-context.ts';

test.each([
  ['required', {}],
  ['off', {}],
  ['implied', { address: '203.0.113.7' }],
] as const)('with consent %s the line contains %j besides the usual', async (consent, facts) => {
  const context = contextFor('/contact?token=secret');
  await accessLog({ consent }).before(() => shortResponse(200))(context);
  expect(context.facts).toEqual(facts);
});

test('later steps find the services of this exchange', async () => {
  const seen: unknown[] = [];
  const step = injectionStore(({ id }) => ({ requestId: id }) as SiteServices);
  const way = step.before(({ services }) => {
    seen.push(services);
    return shortResponse(200);
  });
  await way(contextFor('/', { id: 'one' }));
  await way(contextFor('/', { id: 'two' }));
  expect(seen).toEqual([{ requestId: 'one' }, { requestId: 'two' }]);
});
