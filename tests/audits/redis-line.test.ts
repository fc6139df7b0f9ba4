import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canHaveInstances, type Instances, prepareInstances } from '../support/instances.ts';
import type { Journey } from '../support/journey.ts';
import { until } from '../support/until.ts';

/** Ten times the duration of a call of Redis and the work behind it. */
const mostMs = 15_000;

describe.skipIf(!canHaveInstances)('a Redis behind a bad line', () => {
  let instances: Instances;
  let one: Journey;
  let other: Journey;

  beforeAll(async () => {
    instances = await prepareInstances();
    [one, other] = await Promise.all([instances.start(), instances.start()]);
  });
  afterAll(() => instances?.stop());

  const timed = async <T>(task: () => Promise<T>) => {
    const since = performance.now();
    return { value: await task(), ms: performance.now() - since };
  };
  const readiness = async (journey: Journey) => {
    const answer = await journey.get('/readyz');
    return { status: answer.status, text: await answer.text() };
  };
  const logged = ({ product }: Journey, message: RegExp) =>
    product.log().filter(({ msg }) => message.test(String(msg))).length;

  test.each(['stall', 'lose', 'reset'] as const)(
    '%s: the site continues, says so once, and recovers',
    async (how) => {
      const journeys = [one, other];
      const before = journeys.map((journey) => logged(journey, /Redis does not answer/));
      instances.line[how]();
      if (how === 'reset') instances.line.stall();
      for (const journey of journeys) {
        const resolved = await timed(() => journey.resolve('ordinary'));
        expect(resolved.value.status).toBe(200);
        expect(resolved.ms).toBeLessThan(mostMs);
        const page = await timed(() => journey.get('/de/posts'));
        expect(page.value.status).toBe(200);
        expect(page.ms).toBeLessThan(mostMs);
        await until('it says so', async () => (await readiness(journey)).text === 'ready, without Redis\n');
        expect((await readiness(journey)).status).toBe(200);
        expect((await timed(() => journey.resolve('ordinary'))).ms).toBeLessThan(mostMs / 2);
      }
      instances.line.resume();
      for (const journey of journeys)
        await until('it is back', async () => (await readiness(journey)).text === 'ready\n');
      for (const [at, journey] of journeys.entries()) {
        await until('it is in the log', () => logged(journey, /Redis responds again/) > (before[at] ?? 0));
        expect(logged(journey, /Redis does not answer/)).toBe((before[at] ?? 0) + 1);
      }
    },
  );

  test('an instance starts without it', async () => {
    instances.line.stall();
    const third = await instances.start();
    expect(await readiness(third)).toEqual({ status: 200, text: 'ready, without Redis\n' });
    expect((await third.resolve('ordinary')).status).toBe(200);
    instances.line.resume();
    await until('it has it', async () => (await readiness(third)).text === 'ready\n');
    expect(await third.product.stop()).toBe(0);
  });

  test('a stop ends although it is silent', async () => {
    instances.line.lose();
    expect(await other.product.stop()).toBe(0);
  });
});
