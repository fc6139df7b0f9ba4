import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type S3Double, startS3Double } from '../../doubles/s3/server.ts';
import { canHaveInstances, type Instances, prepareInstances } from '../support/instances.ts';
import type { Journey } from '../support/journey.ts';
import type { RunningProduct } from '../support/product.ts';
import { until } from '../support/until.ts';

const askers = 1000;
const post = 'landscape';

describe.skipIf(!canHaveInstances)('a thousand visitors of three instances and a converter', () => {
  let instances: Instances;
  let s3: S3Double;
  let converter: RunningProduct;
  let site: readonly Journey[];

  beforeAll(async () => {
    [instances, s3] = await Promise.all([prepareInstances(), startS3Double()]);
    const env = { CONVERSIONS: '0', TRUST_PROXY: '127.0.0.1', ...s3.environment };
    [converter, ...site] = await Promise.all([
      instances.startConverter({ CONVERSIONS: '1', ...s3.environment }),
      instances.start(env),
      instances.start(env),
      instances.start(env),
    ]);
  });
  afterAll(async () => {
    await instances?.stop();
    await s3?.close();
  });

  /** Lets every visitor, each in a separate network, use one of the instances in rotation. */
  const each = <T>(task: (instance: Journey, visitor: Readonly<Record<string, string>>) => Promise<T>) =>
    Promise.all(
      Array.from({ length: askers }, (_, n) =>
        task(site[n % site.length] as Journey, { 'x-forwarded-for': `10.${n >> 8}.${n & 255}.1` }),
      ),
    );

  test('cost the platform one reading of a post, and the converter one conversion', async () => {
    const resolved = await each((instance, visitor) => instance.resolve(post, visitor));
    expect(new Set(resolved.map(({ status }) => status))).toEqual(new Set([200]));
    const reads = site.map(({ product }) => product.metric('clipferry_resolves_total', { source: 'read' }));
    expect((await Promise.all(reads)).reduce((sum, count) => sum + count, 0)).toBe(1);

    const href = await site[0]?.href(post, 'mp3');
    const lengths = await each(async (instance, headers) => {
      const response = await instance.get(href ?? '', { headers });
      return [response.status, (await response.arrayBuffer()).byteLength];
    });
    const length = lengths[0]?.[1] ?? 0;
    expect(length).toBeGreaterThan(50_000);
    expect(lengths.filter((one) => one[0] !== 200 || one[1] !== length)).toEqual([]);
    const made = () => converter.metric('clipferry_conversions_ended_total', { outcome: 'done' });
    await until('it has ended', async () => (await made()) > 0);
    expect(await made()).toBe(1);
  });
});
