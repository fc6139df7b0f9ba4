import { createECDH } from 'node:crypto';
import { MockAgent } from 'undici';
import { describe, expect, test } from 'vitest';
import webPush from 'web-push';
import { engines, openFreshDatabase } from '../../../stores/contracts/testing/services/databases.ts';
import { ClaimLost, type Registration } from '../contracts.ts';
import { readPushFigures } from '../metrics.ts';
import { createPushStore, type PushStore, withPush } from '../push-store.ts';
import { createPushDelivery, type Deliver } from './deliver-push.ts';
import { type SendPushOptions, sendOpenPush } from './send-push.ts';

const start = Date.UTC(2026, 10, 22, 12);
const dayMs = 86_400_000;

const registration = (name: string, changes: Partial<Registration> = {}): Registration => ({
  endpoint: `https://fcm.googleapis.com/fcm/send/${name}`,
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  pdhkey: 'BCVxsr7N',
  language: 'en',
  diff_time: 0,
  device_model: 'desktop',
  app_id: 'clipferry',
  explorer: 'chrome',
  explorer_version: '150',
  ...changes,
});
const news = { title: 'News', body: 'There is news', url: '/posts', language: null };
const nameOf = ({ endpoint }: { readonly endpoint: string }) => endpoint.split('/').at(-1) ?? '';

/** A store with subscribers, and a push service that records its requests. */
async function sending(store: PushStore, names: readonly string[]) {
  for (const name of names) await store.register(registration(name));
  const requested: string[] = [];
  const waits: number[] = [];
  /** The response to each attempt; the last one is repeated. */
  const answers = new Map<string, (number | null)[]>();
  const deliver: Deliver = async (subscriber) => {
    const name = nameOf(subscriber);
    requested.push(name);
    const left = answers.get(name) ?? [201];
    return (left.length > 1 ? left.shift() : left[0]) as number | null;
  };
  const options: SendPushOptions = {
    store,
    deliver,
    services: ['fcm.googleapis.com'],
    batchSize: 2,
    wait: async (delayMs) => waits.push(delayMs),
  };
  return { requested, answers, waits, options, take: () => requested.splice(0).sort() };
}

describe.each(engines)('$name', (engine) => {
  async function open(names: readonly string[]) {
    const fresh = await openFreshDatabase(engine);
    const time = { now: start };
    const { query } = fresh.database;
    const store = createPushStore(query, () => time.now);
    return {
      ...(await sending(store, names)),
      ...{ query, store, time },
      [Symbol.asyncDispose]: () => fresh[Symbol.asyncDispose](),
    };
  }

  test('registering the same endpoint again updates it, and a withdrawn endpoint is gone', async () => {
    await using fresh = await open([]);
    const { store } = fresh;
    await store.register(registration('a'));
    await store.register(registration('a', { language: 'de', diff_time: 3600 }));
    await store.register(registration('b'));
    expect(await store.count(null)).toBe(2);
    expect(await store.count('de')).toBe(1);
    await store.unregister(registration('a').endpoint);
    expect(await store.count(null)).toBe(1);
  });

  test('requires room before it adds a device, but not for a known one', async () => {
    await using fresh = await open(['a']);
    const { store } = fresh;
    const full = () => Promise.reject(new Error('full'));
    await store.register(registration('a', { language: 'de' }), full);
    await expect(store.register(registration('b'), full)).rejects.toThrow('full');
    expect(await store.count(null)).toBe(1);
    expect(await store.count('de')).toBe(1);
  });

  test('figures report what waits and the outcome of the rest', async () => {
    await using fresh = await open(['a', 'b', 'gone', 'busy', 'wrong']);
    const { query, store, options, answers } = fresh;
    await store.register(registration('german', { language: 'de' }));
    answers.set('gone', [410]).set('busy', [503]).set('wrong', [400]);
    await store.add({ ...news, language: 'en' });
    expect(await readPushFigures(query)).toEqual({
      subscriptions: 6,
      queued: 5,
      sent: 0,
      gone: 0,
      givenUp: 0,
    });
    await sendOpenPush(options);
    expect(await readPushFigures(query)).toEqual({
      subscriptions: 5,
      queued: 0,
      sent: 2,
      gone: 1,
      givenUp: 2,
    });
  });

  test('sends a message once to everybody, in batches, and then deletes all traces of it', async () => {
    await using fresh = await open(['a', 'b', 'c', 'd', 'e']);
    const { store, options, take } = fresh;
    await store.add(news);
    // Later subscribers do not get this message.
    await store.register(registration('late'));
    await sendOpenPush(options);
    expect(take()).toEqual(['a', 'b', 'c', 'd', 'e']);
    await sendOpenPush(options);
    expect(take()).toEqual([]);
    expect(await store.list(5)).toMatchObject([{ isOpen: false, sent: 5, gone: 0, givenUp: 0 }]);
  });

  test('one of two senders sends', async () => {
    await using fresh = await open(['a', 'b', 'c', 'd', 'e']);
    const { store, options, take } = fresh;
    await store.add(news);
    await store.add(news);
    const received: string[] = [];
    const other = {
      ...options,
      deliver: async (...given: Parameters<Deliver>) => {
        received.push(nameOf(given[0]));
        return options.deliver(...given);
      },
    };
    await Promise.all([sendOpenPush(options), sendOpenPush(other)]);
    await sendOpenPush(options);
    const all = ['a', 'b', 'c', 'd', 'e'];
    expect(take()).toEqual([...all, ...all].sort());
    expect([0, 5, 10]).toContain(received.length);
  });

  test('a message is sent by who has claimed the sending before, or by any sender when that one does not', async () => {
    await using fresh = await open(['a']);
    const { store, options, take, time } = fresh;
    await store.claim('command', true);
    await store.add(news);
    await sendOpenPush(options);
    expect(take()).toEqual([]);
    await sendOpenPush({ ...options, owner: 'command' });
    expect(take()).toEqual(['a']);
    // Nothing is left to send, and the command keeps nobody from what comes.
    await store.claim('command', true);
    await sendOpenPush({ ...options, owner: 'command' });
    await store.add(news);
    await sendOpenPush(options);
    expect(take()).toEqual(['a']);
    await store.claim('command', true);
    await store.add(news);
    time.now += 60_000;
    await sendOpenPush(options);
    expect(take()).toEqual(['a']);
  });

  test('a message in one language goes to its readers', async () => {
    await using fresh = await open(['a', 'b', 'c']);
    const { store, options, take } = fresh;
    await store.register(registration('b', { language: 'de' }));
    await store.add({ ...news, language: 'de' });
    await sendOpenPush(options);
    expect(take()).toEqual(['b']);
    expect(await store.list(1)).toMatchObject([{ isOpen: false }]);
  });

  test('deletes subscriptions that have ended, and retries a push service in trouble once', async () => {
    await using fresh = await open(['gone', 'ended', 'busy', 'away', 'dead', 'wrong']);
    const { store, options, answers, waits, take } = fresh;
    answers
      .set('gone', [410])
      .set('ended', [404])
      .set('wrong', [400])
      .set('busy', [429, 201])
      .set('away', [null, 503])
      .set('dead', [null]);
    await store.add(news);
    await sendOpenPush(options);
    expect(take()).toEqual(
      [...['gone', 'ended', 'wrong'], ...['busy', 'busy'], ...['away', 'away'], ...['dead', 'dead']].sort(),
    );
    expect(waits).toEqual([30_000]);
    expect(await store.count(null)).toBe(4);
    expect(await store.list(1)).toMatchObject([{ isOpen: false, sent: 1, gone: 2, givenUp: 3 }]);
  });

  test('does not contact an endpoint that no longer belongs to a push service', async () => {
    await using fresh = await open(['a']);
    const { store, options, take } = fresh;
    await store.add(news);
    await sendOpenPush({ ...options, services: ['push.example'] });
    expect(take()).toEqual([]);
    expect(await store.list(1)).toMatchObject([{ isOpen: false, sent: 0, givenUp: 1 }]);
  });

  test('subscribers for whom no request can be made stop neither their batch nor later messages', async () => {
    await using fresh = await open(['a', 'poison', 'b', 'c', 'd']);
    const { query, store, options, take } = fresh;
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    const agent = new MockAgent();
    agent.disableNetConnect();
    agent.get('https://fcm.googleapis.com').intercept({ path: /./, method: 'POST' }).reply(201).persist();
    const encrypting = createPushDelivery(
      { publicKey, privateKey, subject: 'mailto:a@site.example' },
      agent,
      10_000,
    );
    const good = createECDH('prime256v1').generateKeys('base64url');
    await withPush(query).updateTable('push_subscriptions').set({ pdhkey: good }).execute();
    const rows: Partial<Registration>[] = [
      { pdhkey: Buffer.from([4, ...Array(64).fill(7)]).toString('base64url') },
      { pdhkey: '' },
      { auth: '' },
      { endpoint: '' },
      { endpoint: 'https://fcm.googleapis.com:99999/' },
    ];
    const broken: unknown[] = [];
    const careful: SendPushOptions = {
      ...options,
      async deliver(subscriber, message) {
        await encrypting(subscriber, message);
        return options.deliver(subscriber, message);
      },
      onBroken: (_, error) => broken.push(error),
    };
    for (const changes of rows) {
      await withPush(query)
        .updateTable('push_subscriptions')
        .set({ ...registration('poison', { pdhkey: good }), ...changes })
        .where('id', '=', 2)
        .execute();
      await store.add(news);
      await sendOpenPush(careful);
      expect(take()).toEqual(['a', 'b', 'c', 'd']);
      expect(await store.list(1)).toMatchObject([{ isOpen: false, sent: 4, gone: 0, givenUp: 1 }]);
    }
    expect(broken).toHaveLength(3);
  });

  test('a message that cannot be built ends, and deletes nobody', async () => {
    await using fresh = await open(['a', 'b', 'c']);
    const { store, options, take } = fresh;
    const bad = await store.add(news);
    await store.add(news);
    const deliver: Deliver = async (subscriber, message) => {
      if (message.id === bad) throw new Error('cannot be written as JSON');
      return options.deliver(subscriber, message);
    };
    await sendOpenPush({ ...options, deliver });
    expect(take()).toEqual(['a', 'b', 'c']);
    expect(await store.list(2)).toMatchObject([
      { isOpen: false, sent: 3 },
      { isOpen: false, sent: 0, givenUp: 3 },
    ]);
    expect(await store.count(null)).toBe(3);
  });

  test('a sender that dies leaves its batch to the next one, after a minute or when a command takes over', async () => {
    await using fresh = await open(['a', 'b', 'c', 'd', 'e']);
    const { store, options, time, take } = fresh;
    const dead = { ...store, note: () => Promise.reject(new Error('killed')) };
    await store.add(news);
    await expect(sendOpenPush({ ...options, store: dead })).rejects.toThrow('killed');
    expect(take()).toEqual(['a', 'b']);
    time.now += 59_999;
    await sendOpenPush(options);
    expect(take()).toEqual([]);
    time.now += 1;
    await expect(sendOpenPush({ ...options, store: dead })).rejects.toThrow('killed');
    expect(take()).toEqual(['a', 'b']);
    await sendOpenPush({ ...options, takesOver: true });
    expect(take()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('a sender whose message was taken over records nothing, and sends nothing more', async () => {
    await using fresh = await open(['a', 'b', 'c', 'd']);
    const { store, options, take } = fresh;
    await store.add(news);
    const slow: Deliver = async (subscriber, message) => {
      if (nameOf(subscriber) === 'b') await sendOpenPush({ ...options, takesOver: true });
      return options.deliver(subscriber, message);
    };
    await sendOpenPush({ ...options, deliver: slow });
    expect(take()).toEqual(['a', 'a', 'b', 'b', 'c', 'd']);
    expect(await store.list(1)).toMatchObject([{ isOpen: false, sent: 4 }]);

    await store.add(news);
    await store.claim('first', false);
    const message = await store.oldestOpen();
    await store.claim('second', true);
    if (message === null) throw new Error('nothing is open');
    const outcome = { sent: [1], gone: [2], failed: [] };
    await expect(store.note(message, 'first', outcome, 2)).rejects.toThrow(ClaimLost);
    expect(await store.count(null)).toBe(4);
    expect(await store.list(1)).toMatchObject([{ isOpen: true, sent: 0, gone: 0 }]);
  });

  test('forgets a device that was unreachable for two weeks, unless no device is reachable', async () => {
    await using fresh = await open(['a', 'dead', 'recovered']);
    const { store, options, answers, time } = fresh;
    const send = async () => {
      await store.add(news);
      await sendOpenPush(options);
      return store.count(null);
    };
    answers.set('dead', [null]).set('recovered', [500]);
    expect(await send()).toBe(3);
    time.now += 13 * dayMs;
    answers.delete('recovered');
    expect(await send()).toBe(3);
    time.now += 2 * dayMs;
    for (const name of ['a', 'recovered']) answers.set(name, [403]);
    expect(await send()).toBe(3);
    for (const name of ['a', 'recovered']) answers.delete(name);
    expect(await send()).toBe(2);
    expect((await store.find([1, 2, 3])).map(nameOf)).toEqual(['a', 'recovered']);
  });
});
