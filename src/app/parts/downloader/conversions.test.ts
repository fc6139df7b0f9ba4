import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import {
  clip,
  createFakeMaker,
  forever,
  keyOf,
} from '../../../downloader/conversions/testing/conversions-fixture.ts';
import { Failure } from '../../../failures/failures.ts';
import { JobsUnavailable } from '../../../stores/contracts/conversion-jobs.ts';
import { createMemoryFileStore } from '../../../stores/contracts/testing/memory-file-store.ts';
import { assembleConversions } from './conversions.ts';

test('an instance without its Redis makes the same bytes as converters, however many conversions wait', async () => {
  const maker = createFakeMaker();
  const kept = createMemoryFileStore(() => 0);
  const { conversions, close } = await assembleConversions(
    {
      environment: { CONVERSIONS: 1, CONVERSIONS_WAITING: 100 },
      maker,
      fileStores: { kept, local: kept },
      observer: { requested() {}, waiting() {}, running() {}, ended() {}, error() {} },
      metrics: new Registry(),
      findVideoTools: async () => null,
    },
    {
      openConversionStore: (local) => local,
      openJobs: async () => ({
        order: async () => {
          throw new JobsUnavailable('Redis is away');
        },
        startWorker: () => ({ close: async () => {} }),
        counts: async () => null,
        canMakeHeavy: async () => false,
      }),
    },
  );
  const openings = Array.from({ length: 10 }, (_, at) =>
    keyOf(conversions.open(clip(at), `visitor ${at}`, forever)),
  );
  // Eight wait behind the second one, which is overload for a single instance.
  (await maker.started(clip(0))).fail(new Failure('platform_failed'));
  expect((await maker.started(clip(1))).fast).toBe(false);
  await close(AbortSignal.abort());
  await Promise.all(openings);
});
