import { expect, test } from 'vitest';
import { shortResponse } from '../http/responses/response.ts';
import { inOrder, UnknownStep } from './pages.ts';
import type { RouteStep } from './route-context.ts';
import { contextFor } from './testing/route-context.ts';

const passed: string[] = [];
const passing = (name: string): RouteStep => ({
  name,
  before: (next) => (context) => {
    passed.push(name);
    return next(context);
  },
});
const last: RouteStep = { name: 'route', before: () => () => shortResponse(200, 'page') };
const steps = [passing('one'), passing('two'), last];

test('steps run in the order of the configuration, not in their own', async () => {
  passed.length = 0;
  const response = await inOrder(['two', 'one', 'route'], steps)(contextFor('/'));
  expect(passed).toEqual(['two', 'one']);
  expect(String(response.body)).toBe('page');
});

test('an unknown name fails with its name, and only for requests that reach it', () => {
  const way = inOrder(['one', 'no-such', 'route'], steps);
  expect(() => way(contextFor('/'))).toThrow(new UnknownStep('no-such'));
  expect(inOrder(['route', 'no-such'], steps)(contextFor('/'))).toMatchObject({ status: 200 });
});

test('an order without an end says what it lacks', () => {
  expect(() => inOrder(['one'], steps)(contextFor('/'))).toThrow(/lacks "route"/);
});
