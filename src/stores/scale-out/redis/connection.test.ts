import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type FaultyLine, openFaultyLine } from '../../contracts/testing/services/faulty-line.ts';
import { hasRedis, makeRedisPlace, type RedisPlace } from '../../contracts/testing/services/redis-places.ts';
import { openRedis, type RedisConnection, RedisRefused, RedisUnavailable } from './connection.ts';

/** Full service returns within this time, including the delay of a busy machine. */
const backMs = 8000;

describe.skipIf(!hasRedis)('a Redis behind a bad line', () => {
  let place: RedisPlace;
  let line: FaultyLine;
  let redis: RedisConnection;
  const reported: string[] = [];

  const open = (port = line.port) =>
    openRedis({
      url: `redis://127.0.0.1:${port}`,
      prefix: place.environment.REDIS_PREFIX,
      onAway: () => reported.push('away'),
      onReturn: () => reported.push('back'),
      onError: () => {},
    });
  /** @returns the error of a call, null when it succeeded */
  const ping = () =>
    redis
      .call((client) => client.ping())
      .then(
        () => null,
        (thrown: unknown) => thrown,
      );

  /** Calls to a server known to be unreachable fail in the same turn of the event loop. */
  async function expectNoWaiting(): Promise<void> {
    const nextTurn = new Promise((resolve) => setImmediate(resolve));
    expect(await Promise.race([ping(), nextTurn])).toBeInstanceOf(RedisUnavailable);
  }

  beforeEach(async () => {
    reported.length = 0;
    place = await makeRedisPlace();
    line = await openFaultyLine(place);
    redis = await open();
  });
  afterEach(async () => {
    await redis.close();
    await line.close();
    await place.remove();
  });

  test.each(['stall', 'lose'] as const)(
    '%s: calls end, later ones at once, and the log says so once',
    async (how) => {
      expect(redis.isAway).toBe(false);
      line[how]();
      for (const error of await Promise.all(Array.from({ length: 20 }, ping)))
        expect(error).toBeInstanceOf(RedisUnavailable);
      expect(redis.isAway).toBe(true);
      await expectNoWaiting();
      line.resume();
      await vi.waitFor(async () => expect(await ping()).toBeNull(), { timeout: backMs });
      expect(reported).toEqual(['away', 'back']);
    },
  );

  test('notices a silent connection without a call', async () => {
    line.lose();
    await vi.waitFor(() => expect(redis.isAway).toBe(true), { timeout: backMs });
    await expectNoWaiting();
  });

  test('a reset fails running calls, and the next calls work again', async () => {
    line.reset();
    await vi.waitFor(() => expect(reported).toEqual(['away', 'back']), { timeout: backMs });
    expect(await ping()).toBeNull();
  });

  test('receives channels again after the server was away, and notifies their listeners', async () => {
    const received: string[] = [];
    const returns = vi.fn();
    redis.onReturn(returns);
    const channel = redis.name('news');
    const stop = redis.subscribe(channel, (message) => received.push(message));
    const other = await open(place.port);
    const publish = (text: string) => other.call((client) => client.publish(channel, text));
    await vi.waitFor(async () => expect(await publish('one')).toBe(1), 15_000);
    await vi.waitFor(() => expect(received).toContain('one'), 15_000);
    line.reset();
    await vi.waitFor(() => expect(returns).toHaveBeenCalledTimes(1), { timeout: backMs });
    expect(await publish('two')).toBe(1);
    await vi.waitFor(() => expect(received.at(-1)).toBe('two'), 15_000);
    stop();
    await vi.waitFor(async () => expect(await publish('three')).toBe(0), 15_000);
    expect(received.at(-1)).toBe('two');
    await other.close();
  });

  test('runs scripts, also on a server that has never seen them', async () => {
    const add = redis.script('return redis.call("INCRBY", KEYS[1], ARGV[1])');
    const key = redis.name('sum');
    expect(await add([key], [2])).toBe(2);
    await redis.call((client) => client.script('FLUSH'));
    expect(await add([key], [3])).toBe(5);
    await expect(
      redis.script('return redis.call("INCRBY", KEYS[1], "x")')([key], []),
    ).rejects.not.toBeInstanceOf(RedisUnavailable);
  });

  test('an instance starts without the server, and uses it as soon as it is there', async () => {
    line.stall();
    await redis.close();
    redis = await open();
    expect(redis.isAway).toBe(true);
    line.resume();
    await vi.waitFor(async () => expect(await ping()).toBeNull(), { timeout: backMs });
  });

  test('reports a wrong password at once', async () => {
    const opening = openRedis({
      url: `redis://nobody:wrong@127.0.0.1:${place.port}`,
      prefix: 'x',
      onAway: () => {},
      onReturn: () => {},
      onError: () => {},
    });
    await expect(opening).rejects.toBeInstanceOf(RedisRefused);
    await expect(opening).rejects.toThrow('it refuses the user or the password of the address');
  });
});
