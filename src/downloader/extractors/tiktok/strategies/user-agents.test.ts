import { expect, it } from 'vitest';
import { Failure, type FailureKey } from '../../../../failures/failures.ts';
import { UserAgents } from './user-agents.ts';

function create(names = ['one', 'two', 'three']) {
  const time = { now: 500 };
  const agents = new UserAgents('page', names, () => time.now);
  const used: string[] = [];
  const request = (outcome: FailureKey | 'ok' | TypeError) =>
    agents
      .use(undefined, async (agent) => {
        used.push(agent);
        if (outcome === 'ok') return;
        throw outcome instanceof TypeError ? outcome : new Failure(outcome);
      })
      .catch((thrown: unknown) => thrown);
  const rates = () => agents.states().map(({ answered, refused, resting }) => [answered, refused, resting]);
  return { agents, time, used, request, rates };
}

it('lets a refused agent rest for ten minutes', async () => {
  const { time, used, request, rates } = create();
  await request('platform_blocked');
  await request('ok');
  time.now += 599_999;
  await request('ok');
  time.now += 2;
  await request('ok');
  expect(used).toEqual(['one', 'two', 'two', 'one']);
  expect(rates()).toEqual([
    [1, 1, false],
    [2, 0, false],
    [0, 0, false],
  ]);
});

it('uses the agent whose refusal is oldest when all were refused', async () => {
  const { time, used, request, rates } = create();
  for (let index = 0; index < 5; index++) {
    await request('platform_blocked');
    time.now += 1;
  }
  expect(used).toEqual(['one', 'two', 'three', 'one', 'two']);
  expect(rates().map(([, , resting]) => resting)).toEqual([true, true, true]);
  await request('ok');
  expect(rates()).toEqual([
    [0, 2, true],
    [0, 2, true],
    [1, 1, false],
  ]);
});

it('counts refusals about a post as answers, and ignores trouble of other kinds', async () => {
  const { request, rates, used } = create(['one', 'two']);
  for (const key of ['post_private', 'post_gone', 'platform_failed', 'platform_throttled'] as const)
    await request(key);
  await request(new TypeError('x of undefined'));
  expect(rates()).toEqual([
    [2, 0, false],
    [0, 0, false],
  ]);
  expect(new Set(used)).toEqual(new Set(['one']));
});

it('names its agents for the metrics, and requires at least one', () => {
  expect(create(['one']).agents.states()).toEqual([
    { strategy: 'page', agent: 'one', answered: 0, refused: 0, resting: false },
  ]);
  expect(() => new UserAgents('page', [], () => 0)).toThrow(RangeError);
});
