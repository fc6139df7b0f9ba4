import { expect, test } from 'vitest';
import { shortResponse } from '../../http/responses/response.ts';
import { contextFor } from '../testing/route-context.ts';
import { accessLog } from './access-log.ts';

test.each([
  ['required', {}],
  ['off', {}],
  ['implied', { address: '203.0.113.7' }],
] as const)('with consent %s the line contains %j besides the usual', async (consent, facts) => {
  const context = contextFor('/contact?token=secret');
  await accessLog({ consent }).before(() => shortResponse(200))(context);
  expect(context.facts).toEqual(facts);
});
