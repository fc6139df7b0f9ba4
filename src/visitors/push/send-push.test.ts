import { describe, expect, test } from 'vitest';
import { engines, openFreshDatabase } from '../../stores/contracts/testing/databases.ts';
import type { PushStore, Registration } from './contracts.ts';
import { readPushFigures } from './figures.ts';
import { createPushStore } from './push-store.ts';
import { type Deliver, type PushAnswer, type SendPushOptions, sendDuePush } from './send-push.ts';

/** Noon in Greenwich. */
const noon = Date.UTC(2026, 10, 22, 12);
const hourMs = 3_600_000;

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
const news = { title: 'News', body: 'There is news', url: '/posts', language: null, isQuiet: true };
const answer = (status: number | null, retryAfterMs: number | null = null): PushAnswer => ({
  status,
  retryAfterMs,
});

/** A store with subscribers, and a push service that notes who it was asked for. */
async function sending(store: PushStore, names: readonly string[]) {
  for (const name of names) await store.register(registration(name));
  const asked: string[] = [];
  const answers = new Map<string, PushAnswer>();
  const time = { now: noon };
  const deliver: Deliver = async ({ endpoint }) => {
    const name = endpoint.split('/').at(-1) ?? '';
    asked.push(name);
    return answers.get(name) ?? answer(201);
  };
  const options: SendPushOptions = {
    store,
    deliver,
    services: ['fcm.googleapis.com'],
    now: () => time.now,
    owner: 'a',
    batchSize: 2,
    parallel: 2,
  };
  return { asked, answers, time, options, take: () => asked.splice(0).sort() };
}

describe.each(engines)('$name', (engine) => {
  test('the same endpoint again updates, and one that is taken back is gone', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { query } = fresh.database;
    const store = createPushStore(query, () => noon);
    await store.register(registration('a'));
    await store.register(registration('a', { language: 'de', diff_time: 3600 }));
    await store.register(registration('b'));
    expect(await store.count(null)).toBe(2);
    expect(await store.count('de')).toBe(1);
    await store.unregister(registration('a').endpoint);
    expect(await store.count(null)).toBe(1);
  });

  test('an endpoint that takes the place of another keeps its language and its turn', async () => {
    await using fresh = await openFreshDatabase(engine);
    const store = createPushStore(fresh.database.query, () => noon);
    const { options, take } = await sending(store, ['old']);
    await store.register(registration('old', { language: 'de' }));
    await store.add(news);
    // The page was quicker than the worker.
    await store.register(registration('new'));
    await store.register(registration('new', { diff_time: 3600 }), registration('old').endpoint);
    expect([await store.count(null), await store.count('de')]).toEqual([1, 1]);
    await store.register(registration('other'), registration('unknown').endpoint);
    expect(await store.count('en')).toBe(1);
    await sendDuePush(options);
    expect(take()).toEqual(['new']);
  });

  test('figures tell what waits and what has become of the rest', async () => {
    await using fresh = await openFreshDatabase(engine);
    const { query } = fresh.database;
    const store = createPushStore(query, () => noon);
    expect(await readPushFigures(query)).toEqual({
      subscriptions: 0,
      queued: 0,
      sent: 0,
      gone: 0,
      givenUp: 0,
    });
    const { options, answers } = await sending(store, ['a', 'b', 'gone', 'busy', 'wrong']);
    await store.register(registration('german', { language: 'de' }));
    answers.set('gone', answer(410)).set('busy', answer(503)).set('wrong', answer(400));
    await store.add({ ...news, language: 'en' });
    expect(await readPushFigures(query)).toMatchObject({ subscriptions: 6, queued: 5 });
    await sendDuePush(options);
    expect(await readPushFigures(query)).toEqual({
      subscriptions: 5,
      queued: 1,
      sent: 2,
      gone: 1,
      givenUp: 1,
    });
  });

  test('everybody hears of a message once, in batches, and then nothing is left of it', async () => {
    await using fresh = await openFreshDatabase(engine);
    const store = createPushStore(fresh.database.query, () => noon);
    const { options, take } = await sending(store, ['a', 'b', 'c', 'd', 'e']);
    await store.add(news);
    // Who comes later has not asked for this one.
    await store.register(registration('late'));
    await sendDuePush(options);
    expect(take()).toEqual(['a', 'b', 'c', 'd', 'e']);
    await sendDuePush(options);
    expect(take()).toEqual([]);
    expect(await store.list(5)).toMatchObject([{ isOpen: false, sent: 5, gone: 0, givenUp: 0 }]);
    expect(await store.nextWorkAt()).toBeNull();
  });

  test('two senders do not do the same', async () => {
    await using fresh = await openFreshDatabase(engine);
    const store = createPushStore(fresh.database.query, () => noon);
    const { options, take } = await sending(store, ['a', 'b', 'c', 'd', 'e']);
    await store.add(news);
    await Promise.all([sendDuePush(options), sendDuePush({ ...options, owner: 'b' })]);
    expect(take()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('a message in one language goes to its readers', async () => {
    await using fresh = await openFreshDatabase(engine);
    const store = createPushStore(fresh.database.query, () => noon);
    const { options, take } = await sending(store, ['a', 'b', 'c']);
    await store.register(registration('b', { language: 'de' }));
    await store.add({ ...news, language: 'de' });
    await sendDuePush(options);
    expect(take()).toEqual(['b']);
    expect(await store.list(1)).toMatchObject([{ isOpen: false }]);
  });

  test('what has ended is deleted, what failed is tried again later, what cannot go well is not', async () => {
    await using fresh = await openFreshDatabase(engine);
    let clock = { now: noon };
    const store = createPushStore(fresh.database.query, () => clock.now);
    const { options, answers, time, take } = await sending(store, ['gone', 'ended', 'busy', 'away', 'wrong']);
    clock = time;
    answers.set('gone', answer(410)).set('ended', answer(404)).set('wrong', answer(400));
    answers.set('busy', answer(429, 120_000)).set('away', answer(null));
    const id = await store.add(news);
    await sendDuePush(options);
    expect(take()).toHaveLength(5);
    expect(await store.count(null)).toBe(3);
    expect(await store.waiting(id)).toEqual({ count: 2, nextAt: noon + 30_000 });
    await sendDuePush(options);
    expect(take()).toEqual([]);
    time.now += 30_000;
    answers.clear();
    await sendDuePush(options);
    expect(take()).toEqual(['away']);
    time.now = noon + 120_000;
    await sendDuePush(options);
    expect(take()).toEqual(['busy']);
    expect(await store.list(1)).toMatchObject([{ isOpen: false, sent: 2, gone: 2, givenUp: 1 }]);
  });

  test('nobody is woken, unless it is urgent', async () => {
    await using fresh = await openFreshDatabase(engine);
    let clock = { now: noon };
    const store = createPushStore(fresh.database.query, () => clock.now);
    const { options, time, take } = await sending(store, ['day']);
    clock = time;
    await store.register(registration('night', { diff_time: 12 * 3600 }));
    const quiet = await store.add(news);
    await sendDuePush(options);
    expect(take()).toEqual(['day']);
    expect(await store.waiting(quiet)).toEqual({ count: 1, nextAt: noon + 8 * hourMs });
    await store.add({ ...news, isQuiet: false });
    await sendDuePush(options);
    expect(take()).toEqual(['day', 'night']);
    time.now += 8 * hourMs;
    await sendDuePush(options);
    expect(take()).toEqual(['night']);
    expect(await store.waiting(null)).toBeNull();
  });

  test('an endpoint that is no service’s any more is not spoken to', async () => {
    await using fresh = await openFreshDatabase(engine);
    const store = createPushStore(fresh.database.query, () => noon);
    const { options, take } = await sending(store, ['a']);
    await store.add(news);
    await sendDuePush({ ...options, services: ['push.example'] });
    expect(take()).toEqual([]);
    expect(await store.list(1)).toMatchObject([{ isOpen: false, sent: 0, givenUp: 1 }]);
  });

  test('a sender that dies leaves its batch to the next one, once it has not been heard of for a while', async () => {
    await using fresh = await openFreshDatabase(engine);
    let clock = { now: noon };
    const store = createPushStore(fresh.database.query, () => clock.now);
    const { options, time, take } = await sending(store, ['a', 'b', 'c', 'd', 'e']);
    clock = time;
    await store.add(news);
    const dead = { ...store, settle: () => Promise.reject(new Error('killed')), release: async () => {} };
    await expect(sendDuePush({ ...options, store: dead })).rejects.toThrow('killed');
    expect(take()).toEqual(['a', 'b']);
    expect(await store.nextWorkAt()).toBe(noon + 15_000);
    await sendDuePush({ ...options, owner: 'b' });
    expect(take()).toEqual([]);
    time.now += 15_000;
    await sendDuePush({ ...options, owner: 'b' });
    expect(take()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});
