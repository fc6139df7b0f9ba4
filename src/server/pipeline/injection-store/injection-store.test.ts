import { expect, test } from 'vitest';
import type { SiteServices } from '../../../site/loaders/services.ts';
import { shortResponse } from '../../http/responses/response.ts';
import { contextFor } from '../testing/route-context.ts';
import { injectionStore } from './injection-store.ts';

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
