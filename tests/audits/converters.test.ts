import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { canHaveInstances, type Instances, startWithConverters } from '../support/instances.ts';
import type { Journey } from '../support/journey.ts';
import type { RunningProduct } from '../support/product.ts';
import { until } from '../support/until.ts';

/** Ten times the delay when a converter is killed. */
const elsewhereMs = 45_000;

interface Status {
  readonly state: string;
  readonly progress: number;
  readonly error: { readonly key: string; readonly message: string } | null;
}

describe.skipIf(!canHaveInstances)('converters that die', () => {
  let instances: Instances;
  let one: Journey;
  let other: Journey;
  let converters: RunningProduct[];

  beforeAll(async () => {
    ({ instances, one, other, converters } = await startWithConverters(4));
  });
  afterAll(() => instances?.stop());
  afterEach(() => instances.platform.reset());

  const statusOf = async (journey: Journey, href: string, language = 'en') => {
    const answer = await journey.get(`${href}/status`, { headers: { 'accept-language': language } });
    return ((await answer.json()) as { result: Status }).result;
  };
  const slow = (post: string, bandwidthBps: number) =>
    instances.platform.configure({ posts: { [post]: { bandwidthBps } } });
  const runs = (converter: RunningProduct) => converter.metric('clipferry_conversions', { state: 'running' });

  /** The converter that is making something, once there is one. */
  async function busyOne(): Promise<RunningProduct> {
    let found: RunningProduct | undefined;
    await until(
      'one of them makes it',
      async () => {
        const running = await Promise.all(converters.map(runs));
        found = converters[running.findIndex((count) => count > 0)];
        return found !== undefined;
      },
      elsewhereMs,
    );
    return found ?? expect.unreachable();
  }

  async function kill(converter: RunningProduct): Promise<void> {
    converters = converters.filter((each) => each !== converter);
    await converter.stop('SIGKILL');
  }

  test('another converter takes over the job of a killed one; a file that kills three is parked, and visitors are told', async () => {
    await slow('ten-minutes', 3_000_000);
    const href = await one.href('ten-minutes', 'mp3');
    const response = await one.get(href);
    expect(response.status).toBe(200);
    const read = response.arrayBuffer().then(
      () => 'whole',
      () => 'broken off',
    );
    await until('it makes progress', async () => (await statusOf(other, href)).progress > 0);
    const { progress } = await statusOf(other, href);
    const killedAt = performance.now();
    await kill(await busyOne());
    await busyOne();
    expect(performance.now() - killedAt).toBeLessThan(elsewhereMs);
    expect(await statusOf(other, href)).toMatchObject({ state: 'converting' });
    await until('progress goes on', async () => (await statusOf(other, href)).progress > progress);

    await kill(await busyOne());
    await kill(await busyOne());
    await until('it has failed', async () => (await statusOf(other, href)).state === 'failed', elsewhereMs);
    expect(await read).toBe('broken off');
    expect((await statusOf(other, href, 'de')).error).toMatchObject({
      key: 'conversion_parked',
      message: expect.stringMatching(/^Wir haben es mit diesem Ton mehrmals versucht/),
    });
    const again = await other.get(href);
    expect(again.status).toBe(422);
    expect(await again.json()).toMatchObject({ error: { key: 'conversion_parked' } });
    // The last one is healthy, and makes other files.
    expect((await one.get(await one.href('ordinary', 'mp3'))).status).toBe(200);
  }, 240_000);
});
