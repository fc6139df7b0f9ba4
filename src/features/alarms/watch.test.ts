import { expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../../stores/contracts/testing/services/databases.ts';
import { createLeases } from '../../stores/shared-work/leases.ts';
import { type AlarmMessage, createAlarmStore } from './alarm-store.ts';
import type { AlarmCondition } from './conditions/conditions.ts';
import type { SiteReading } from './read-site.ts';
import { createWatch, quietMs } from './watch.ts';

const minuteMs = 60_000;
const lookMs = 15_000;

/** A site with one condition that the test switches, and instances that check it by one clock. */
async function openSite(engine: (typeof engines)[number]) {
  const fresh = await openFreshDatabase(engine);
  const { query } = fresh.database;
  let time = 1_790_000_000_000;
  const now = () => time;
  const state = { isBroken: false, isGone: false, isWebhookDown: false, refused: 0 };
  const received: string[] = [];
  const condition: AlarmCondition = {
    name: 'strategy-broken',
    title: 'A strategy is broken',
    ...{ when: 'When it is.', advice: 'Look.', log: [], steps: [] },
    severity: 'critical',
    lastsMs: 3 * minuteMs,
    isFolded: true,
    find: () => (state.isBroken ? [{ subject: 'tiktok/page', text: 'It is open.' }] : []),
  };
  const { isFolded: _, ...unfolded } = condition;
  const gone: AlarmCondition = {
    ...{ ...unfolded, name: 'platform-gone', lastsMs: lookMs, quietMs: 2 * lookMs },
    find: () => (state.isGone ? [{ subject: 'tiktok', text: 'It is gone.' }] : []),
  };
  const store = createAlarmStore(query, now);
  const instance = (name: string) =>
    createWatch({
      conditions: [gone, condition],
      read: async () => ({ now: time }) as SiteReading,
      readSelf: async () => null,
      store,
      leases: createLeases(query, now),
      senders: {
        async webhook({ kind }: AlarmMessage) {
          if (state.isWebhookDown) {
            state.refused += 1;
            throw new Error('away');
          }
          received.push(`${name} webhook ${kind}`);
        },
        async mail({ kind }: AlarmMessage) {
          received.push(`${name} mail ${kind}`);
        },
      },
      observer: { sent() {}, failed() {}, databaseFailed() {} },
      now,
    });
  return {
    ...{ state, received, store, instance },
    /** Lets time pass while instances check. */
    async pass(forMs: number, ...looking: readonly ReturnType<typeof instance>[]) {
      for (const end = time + forMs; time < end; ) {
        time += lookMs;
        for (const one of looking) await one.look();
      }
    },
    [Symbol.asyncDispose]: () => fresh[Symbol.asyncDispose](),
  };
}

test.for(engines)(
  'reports a trouble once when it has lasted, and once when it is over, on $name',
  async (engine) => {
    await using site = await openSite(engine);
    const { state, received, store, pass } = site;
    const one = site.instance('one');
    await pass(5 * minuteMs, one);
    state.isBroken = true;
    await pass(3 * minuteMs, one);
    expect(received).toEqual([]);
    await pass(lookMs, one);
    expect(received).toEqual(['one webhook begun', 'one mail begun']);
    await pass(60 * minuteMs, one);
    expect(received).toHaveLength(2);
    state.isBroken = false;
    await pass(quietMs - lookMs, one);
    expect(received).toHaveLength(2);
    await pass(lookMs, one);
    expect(received.slice(2)).toEqual(['one webhook over', 'one mail over']);
    expect(await store.lasting()).toEqual([]);
    const [alarm] = await store.notified(10);
    expect(alarm).toMatchObject({
      condition: 'strategy-broken',
      subject: 'tiktok/page',
      text: 'It is open.',
    });
    expect((alarm?.endedAt ?? 0) - (alarm?.seenAt ?? 0)).toBe(quietMs);
  },
);

test.for(engines)(
  'reports one trouble for a platform that is gone, and its end soon, on $name',
  async (engine) => {
    await using site = await openSite(engine);
    const { state, received, store, pass } = site;
    const one = site.instance('one');
    state.isGone = true;
    state.isBroken = true;
    await pass(2 * lookMs, one);
    expect(received).toEqual(['one webhook begun', 'one mail begun']);
    await pass(10 * minuteMs, one);
    expect(received).toHaveLength(2);
    state.isGone = false;
    await pass(2 * lookMs, one);
    expect(received.slice(2)).toEqual(['one webhook over', 'one mail over']);
    // Still broken, and now a trouble of its own.
    await pass(3 * minuteMs, one);
    expect((await store.notified(10)).map(({ condition }) => condition)).toEqual([
      'strategy-broken',
      'platform-gone',
    ]);
    state.isGone = true;
    await pass(30 * minuteMs, one);
    state.isGone = false;
    await pass(minuteMs, one);
    // What was told before lasts on.
    expect((await store.lasting()).map(({ condition }) => condition)).toEqual(['strategy-broken']);
  },
);

test.for(engines)('reports an intermittent trouble as one, or not at all, on $name', async (engine) => {
  await using site = await openSite(engine);
  const { state, received, pass } = site;
  const one = site.instance('one');
  // Never as long as the required duration.
  for (let turn = 0; turn < 10; turn++) {
    state.isBroken = turn % 2 === 0;
    await pass(2 * minuteMs, one);
  }
  expect(received).toEqual([]);
  state.isBroken = true;
  await pass(4 * minuteMs, one);
  for (let turn = 0; turn < 20; turn++) {
    state.isBroken = turn % 2 === 0;
    await pass(4 * minuteMs, one);
  }
  expect(received).toEqual(['one webhook begun', 'one mail begun']);
  await pass(quietMs, one);
  expect(received).toHaveLength(4);
});

test.for(engines)(
  'retries a webhook that is down, and mails do not wait for it, on $name',
  async (engine) => {
    await using site = await openSite(engine);
    const { state, received, store, pass } = site;
    const one = site.instance('one');
    state.isBroken = true;
    state.isWebhookDown = true;
    await pass(4 * minuteMs, one);
    expect(received).toEqual(['one mail begun']);
    state.isBroken = false;
    await pass(quietMs, one);
    expect(received).toEqual(['one mail begun', 'one mail over']);
    // Each time later: at once, and after 15, 45, 105, 225 and 465 seconds.
    expect(state.refused).toBe(6);
    state.isWebhookDown = false;
    await pass(15 * minuteMs, one);
    expect(received.slice(2)).toEqual(['one webhook begun', 'one webhook over']);
    expect(await store.claim()).toBeNull();
  },
);

test.for(engines)('gives up on a message that nobody accepts for two days, on $name', async (engine) => {
  await using site = await openSite(engine);
  const { state, store } = site;
  const one = site.instance('one');
  state.isBroken = true;
  state.isWebhookDown = true;
  await site.pass(4 * minuteMs, one);
  for (let quarters = 0; quarters < 4 * 47; quarters++) {
    await site.pass(15 * minuteMs);
    await one.look();
  }
  expect(await store.waitingMessages()).toBe(1);
  for (let quarters = 0; quarters < 4 * 3; quarters++) {
    await site.pass(15 * minuteMs);
    await one.look();
  }
  expect(await store.waitingMessages()).toBe(0);
});

test.for(engines)(
  'one of two instances reports, and the other takes over when it is gone, on $name',
  async (engine) => {
    await using site = await openSite(engine);
    const { state, received, pass } = site;
    const [one, two] = [site.instance('one'), site.instance('two')];
    state.isBroken = true;
    await pass(10 * minuteMs, one, two);
    expect(received).toEqual(['one webhook begun', 'one mail begun']);
    state.isBroken = false;
    // The first was killed: it does not sign off.
    await pass(2 * quietMs, two);
    expect(received.slice(2)).toEqual(['two webhook over', 'two mail over']);
    await two.end();
    state.isBroken = true;
    await pass(4 * minuteMs, one, two);
    expect(received.slice(4)).toEqual(['one webhook begun', 'one mail begun']);
  },
);

test.for(engines)('two instances that check at the same moment report once, on $name', async (engine) => {
  await using site = await openSite(engine);
  const { state, received } = site;
  const all = ['one', 'two', 'three'].map(site.instance);
  state.isBroken = true;
  for (let turn = 0; turn < 14; turn++) {
    await site.pass(lookMs);
    await Promise.all(all.map((one) => one.look()));
  }
  expect(received.map((line) => line.split(' ').slice(1).join(' '))).toEqual(['webhook begun', 'mail begun']);
  expect(await site.store.lasting()).toHaveLength(1);
});

test.for(engines)('forgets an alarm after 13 months, on $name', async (engine) => {
  await using site = await openSite(engine);
  const { state, store, pass } = site;
  const one = site.instance('one');
  state.isBroken = true;
  await pass(4 * minuteMs, one);
  state.isBroken = false;
  await pass(quietMs, one);
  const dayMs = 86_400_000;
  await pass(395 * dayMs);
  await one.look();
  expect(await store.notified(10)).toHaveLength(1);
  await pass(2 * dayMs);
  await one.look();
  expect(await store.notified(10)).toEqual([]);
});
