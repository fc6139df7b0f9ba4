import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { OpenBreaker, SharedBreakers } from '../../contracts/shared-breakers.ts';
import type { RedisConnection } from './connection.ts';

/** A breaker without a trial is forgotten after this. */
const forgetMs = 600_000;

/** ARGV: for how long it is open in ms, or 0 for closed; how long it is remembered; channel; who says so. */
const setScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[1] == '0' then redis.call('DEL', KEYS[1])
else redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. (now + ARGV[1]), 'PX', ARGV[2]) end
redis.call('PUBLISH', ARGV[3], ARGV[4] .. ' ' .. ARGV[1])
return 1
`;

/** @returns the duration of the opening and its remaining time, in ms; nothing when it is closed */
const getScript = `
local kept = redis.call('GET', KEYS[1])
if not kept then return false end
local time = redis.call('TIME')
local forMs, untilMs = string.match(kept, '^(%d+) (%d+)$')
return {tonumber(forMs), untilMs - (time[1] * 1000 + math.floor(time[2] / 1000))}
`;

const endTrialScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`;

const stored = z.union([z.null(), z.tuple([z.number(), z.number()])]);

/** Circuit breakers' states on a Redis server. */
export function createRedisBreakers(redis: RedisConnection): SharedBreakers {
  const setState = redis.script(setScript);
  const getState = redis.script(getScript);
  const endTrial = redis.script(endTrialScript);
  const self = randomUUID();
  const stateKey = (name: string) => redis.name('breaker', name);
  const trialKey = (name: string) => redis.name('breaker-trial', name);
  const channelOf = (name: string) => redis.name('breaker-changed', name);

  const publish = (name: string, forMs: number) => {
    setState([stateKey(name)], [Math.ceil(forMs), Math.ceil(forMs) + forgetMs, channelOf(name), self]).catch(
      redis.report,
    );
  };

  async function read(name: string): Promise<OpenBreaker | null> {
    const found = stored.parse(await getState([stateKey(name)], []));
    return found === null ? null : { forMs: found[0], remainingMs: found[1] };
  }

  return {
    watch(name, listener) {
      const look = () => {
        if (!redis.isAway) read(name).then(listener, redis.report);
      };
      redis.subscribe(channelOf(name), (message) => {
        const [by, forMs] = message.split(' ');
        if (by === self) return;
        listener(forMs === '0' ? null : { forMs: Number(forMs), remainingMs: Number(forMs) });
      });
      redis.onReturn(look);
      look();
    },
    opened: publish,
    closed: (name) => publish(name, 0),
    async beginTrial(name, limitMs) {
      try {
        const taken = await redis.call((client) =>
          client.set(trialKey(name), self, 'PX', Math.ceil(limitMs), 'NX'),
        );
        return taken === 'OK';
      } catch (error) {
        redis.report(error);
        return true;
      }
    },
    endTrial: (name) => void endTrial([trialKey(name)], [self]).catch(redis.report),
  };
}
