import { createECDH } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import webPush from 'web-push';
import { engines, openFreshDatabase } from '../../stores/contracts/testing/databases.ts';
import { createPushComposer } from './compose-push.ts';
import { ClaimLost, type PushStore, type Registration } from './contracts.ts';
import { readPushFigures } from './figures.ts';
import { createPushStore } from './push-store.ts';
import { type Deliver, type PushAnswer, type SendPushOptions, sendOpenPush } from './send-push.ts';

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
const answer = (status: number | null, retryAfterMs: number | null = null): PushAnswer => ({
  status,
  retryAfterMs,
});
const nameOf = ({ endpoint }: { readonly endpoint: string }) => endpoint.split('/').at(-1) ?? '';

/** A store with subscribers, and a push service that notes who it was asked for. */
async function sending(store: PushStore, names: readonly string[]) {
  for (const name of names) await store.register(registration(name));
  const asked: string[] = [];
  const waits: number[] = [];
  /** What is answered at each try; the last one from then on. */
  const answers = new Map<string, PushAnswer[]>();
  const deliver: Deliver = async (subscriber) => {
    const name = nameOf(subscriber);
    asked.push(name);
    const left = answers.get(name) ?? [answer(201)];
    return (left.length > 1 ? left.shift() : left[0]) ?? answer(201);
  };
  const options: SendPushOptions = {
    store,
    deliver,
    services: ['fcm.googleapis.com'],
    owner: 'a',
    batchSize: 2,
    parallel: 2,
    wait: async (delayMs) => waits.push(delayMs),
  };
  return { asked, answers, waits, options, take: () => asked.splice(0).sort() };
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

  test('the same endpoint again updates, and one that is taken back is gone', async () => {
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

  test('room is asked for before a device is added, and not for one that is there', async () => {
    await using fresh = await open(['a']);
    const { store } = fresh;
    const full = () => Promise.reject(new Error('full'));
    await store.register(registration('a', { language: 'de' }), undefined, full);
    await store.register(registration('renewed'), registration('a').endpoint, full);
    await expect(store.register(registration('b'), undefined, full)).rejects.toThrow('full');
    await expect(store.register(registration('b'), registration('other').endpoint, full)).rejects.toThrow(
      'full',
    );
    expect(await store.count(null)).toBe(1);
    expect(await store.count('de')).toBe(1);
  });

  test('an endpoint that takes the place of another keeps its language and its turn', async () => {
    await using fresh = await open(['old']);
    const { store, options, take } = fresh;
    await store.register(registration('old', { language: 'de' }));
    await store.add(news);
    // The page was quicker than the worker.
    await store.register(registration('new'));
    await store.register(registration('new', { diff_time: 3600 }), registration('old').endpoint);
    expect([await store.count(null), await store.count('de')]).toEqual([1, 1]);
    await store.register(registration('other'), registration('unknown').endpoint);
    expect(await store.count('en')).toBe(1);
    await sendOpenPush(options);
    expect(take()).toEqual(['new']);
  });

  test('figures tell what waits and what has become of the rest', async () => {
    await using fresh = await open(['a', 'b', 'gone', 'busy', 'wrong']);
    const { query, store, options, answers } = fresh;
    await store.register(registration('german', { language: 'de' }));
    answers
      .set('gone', [answer(410)])
      .set('busy', [answer(503)])
      .set('wrong', [answer(400)]);
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

  test('everybody hears of a message once, in batches, and then nothing is left of it', async () => {
    await using fresh = await open(['a', 'b', 'c', 'd', 'e']);
    const { store, options, take } = fresh;
    await store.add(news);
    // Who comes later has not asked for this one.
    await store.register(registration('late'));
    await sendOpenPush(options);
    expect(take()).toEqual(['a', 'b', 'c', 'd', 'e']);
    await sendOpenPush(options);
    expect(take()).toEqual([]);
    expect(await store.list(5)).toMatchObject([{ isOpen: false, sent: 5, gone: 0, givenUp: 0 }]);
    expect(await store.dueAt()).toBeNull();
  });

  test('one of two senders sends', async () => {
    await using fresh = await open(['a', 'b', 'c', 'd', 'e']);
    const { store, options, take } = fresh;
    await store.add(news);
    await store.add(news);
    const heard: string[] = [];
    const other = {
      ...options,
      owner: 'b',
      deliver: async (...given: Parameters<Deliver>) => {
        heard.push(nameOf(given[0]));
        return options.deliver(...given);
      },
    };
    await Promise.all([sendOpenPush(options), sendOpenPush(other)]);
    await sendOpenPush(options);
    const all = ['a', 'b', 'c', 'd', 'e'];
    expect(take()).toEqual([...all, ...all].sort());
    expect([0, 5, 10]).toContain(heard.length);
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

  test('what has ended is deleted, what failed is tried twice more, what cannot go well is not', async () => {
    await using fresh = await open(['gone', 'ended', 'busy', 'away', 'dead', 'wrong']);
    const { store, options, answers, waits, take } = fresh;
    answers
      .set('gone', [answer(410)])
      .set('ended', [answer(404)])
      .set('wrong', [answer(400)])
      .set('busy', [answer(429, 60_000), answer(201)])
      .set('away', [answer(null), answer(503), answer(201)])
      .set('dead', [answer(null)]);
    await store.add(news);
    await sendOpenPush(options);
    expect(take()).toEqual(
      [
        ...['gone', 'ended', 'wrong'],
        ...['busy', 'busy'],
        ...Array(3).fill('away'),
        ...Array(3).fill('dead'),
      ].sort(),
    );
    expect(waits).toEqual([60_000, 30_000]);
    expect(await store.count(null)).toBe(4);
    expect(await store.list(1)).toMatchObject([{ isOpen: false, sent: 2, gone: 2, givenUp: 2 }]);
  });

  test('a push service that asks for more patience than there is waits as long as there is', async () => {
    await using fresh = await open(['busy']);
    const { store, options, answers, waits } = fresh;
    answers.set('busy', [answer(429, 999_999_000)]);
    await store.add(news);
    await sendOpenPush(options);
    expect(waits).toEqual([120_000, 120_000]);
  });

  test('an endpoint that is no service’s any more is not spoken to', async () => {
    await using fresh = await open(['a']);
    const { store, options, take } = fresh;
    await store.add(news);
    await sendOpenPush({ ...options, services: ['push.example'] });
    expect(take()).toEqual([]);
    expect(await store.list(1)).toMatchObject([{ isOpen: false, sent: 0, givenUp: 1 }]);
  });

  test('subscribers that no request can be made for stop neither their batch nor later messages', async () => {
    await using fresh = await open(['a', 'poison', 'b', 'c', 'd']);
    const { query, store, options, take } = fresh;
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    const compose = createPushComposer({ publicKey, privateKey, subject: 'mailto:a@site.example' }, Date.now);
    const good = createECDH('prime256v1').generateKeys('base64url');
    await query.updateTable('push_subscriptions').set({ pdhkey: good }).execute();
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
        compose(subscriber, message);
        return options.deliver(subscriber, message);
      },
      onBroken: (_, error) => broken.push(error),
    };
    for (const changes of rows) {
      await query
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

  test('a message that nothing can be made of ends, and deletes nobody', async () => {
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

  test('a batch that can never be noted is given up, and what follows is sent', async () => {
    await using fresh = await open(['a', 'b', 'c', 'd']);
    const { store, options, take } = fresh;
    await store.add(news);
    const failing: PushStore = {
      ...store,
      note: (message, owner, outcome, reached) =>
        outcome.sent.includes(1)
          ? Promise.reject(new Error('cannot be noted'))
          : store.note(message, owner, outcome, reached),
    };
    for (let n = 0; n < 3; n += 1)
      await expect(sendOpenPush({ ...options, store: failing })).rejects.toThrow('cannot be noted');
    await sendOpenPush({ ...options, store: failing });
    expect(take()).toEqual(['a', 'a', 'a', 'b', 'b', 'b', 'c', 'd']);
    expect(await store.list(1)).toMatchObject([{ isOpen: false, sent: 2, givenUp: 2 }]);
  });

  test('a sender that dies leaves its batch to the next one, once it has not been heard of for a while', async () => {
    await using fresh = await open(['a', 'b', 'c', 'd', 'e']);
    const { store, options, time, take } = fresh;
    await store.add(news);
    const dead = { ...store, note: () => Promise.reject(new Error('killed')), release: async () => {} };
    await expect(sendOpenPush({ ...options, store: dead })).rejects.toThrow('killed');
    expect(take()).toEqual(['a', 'b']);
    expect(await store.dueAt()).toBe(start + 15_000);
    await sendOpenPush({ ...options, owner: 'b' });
    expect(take()).toEqual([]);
    time.now += 15_000;
    await sendOpenPush({ ...options, owner: 'b' });
    expect(take()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('a sender whose claim is gone sends nothing more', async () => {
    await using fresh = await open(['a', 'b', 'c', 'd']);
    const { store, options, time, take } = fresh;
    await store.add(news);
    const slow: Deliver = async (subscriber, message) => {
      if (nameOf(subscriber) === 'b') {
        time.now += 15_000;
        await sendOpenPush({ ...options, owner: 'b' });
      }
      return options.deliver(subscriber, message);
    };
    await expect(sendOpenPush({ ...options, parallel: 1, deliver: slow })).rejects.toThrow();
    expect(take()).toEqual(['a', 'a', 'b', 'b', 'c', 'd']);
    expect(await store.list(1)).toMatchObject([{ isOpen: false, sent: 4 }]);
  });

  test('who has lost a message notes nothing of it', async () => {
    await using fresh = await open(['a', 'b']);
    const { store, time } = fresh;
    await store.add(news);
    const message = await store.claim('a', 15_000);
    time.now += 15_000;
    await store.claim('b', 15_000);
    if (message === null) throw new Error('nothing was claimed');
    const outcome = { sent: [1], gone: [2], failed: [] };
    await expect(store.note(message, 'a', outcome, 2)).rejects.toThrow(ClaimLost);
    await store.close(message.id, 'a');
    expect(await store.count(null)).toBe(2);
    expect(await store.list(1)).toMatchObject([{ isOpen: true, sent: 0, gone: 0 }]);
  });

  test('a device that nothing reaches for two weeks is forgotten, unless nothing reaches anybody', async () => {
    await using fresh = await open(['a', 'dead', 'recovered']);
    const { store, options, answers, time } = fresh;
    const send = async () => {
      await store.add(news);
      await sendOpenPush(options);
      return store.count(null);
    };
    answers.set('dead', [answer(null)]).set('recovered', [answer(500)]);
    expect(await send()).toBe(3);
    time.now += 13 * dayMs;
    answers.delete('recovered');
    expect(await send()).toBe(3);
    time.now += 2 * dayMs;
    for (const name of ['a', 'recovered']) answers.set(name, [answer(403)]);
    expect(await send()).toBe(3);
    for (const name of ['a', 'recovered']) answers.delete(name);
    expect(await send()).toBe(2);
    expect((await store.find([1, 2, 3])).map(nameOf)).toEqual(['a', 'recovered']);
  });
});
