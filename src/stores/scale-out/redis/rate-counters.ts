import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { MakeRateCounters, RateCounters } from '../../contracts/rate-counters.ts';
import type { RedisConnection } from './connection.ts';

/**
 * Both limits in one call: each call is a write to a socket, which costs more than processing its response. KEYS:
 * visitor, block. ARGV: tries of each, seconds, points of this try. Keys and values are those of `RateLimiterRedis`.
 */
const spendScript = `
local function spend(key, most)
  redis.call('SET', key, 0, 'EX', ARGV[3], 'NX')
  if redis.call('INCRBY', key, ARGV[4]) > tonumber(most) then return math.max(1, redis.call('PTTL', key)) end
end
return spend(KEYS[1], ARGV[1]) or spend(KEYS[2], ARGV[2]) or 0
`;

export interface RedisCountersOptions {
  readonly redis: RedisConnection;
  /** Makes what counts while Redis does not. */
  readonly countAlone: MakeRateCounters;
}

/** Counts tries together with all instances, and for this one only while Redis is unreachable or refuses. */
export function createRedisCounters({ redis, countAlone }: RedisCountersOptions): MakeRateCounters {
  const spendBoth = redis.script(spendScript);

  return (name, tries, periodS): RateCounters => {
    const alone = countAlone(name, tries, periodS);
    const spaces = {
      visitor: redis.name('limit', `${name}-visitor`),
      block: redis.name('limit', `${name}-block`),
    };
    const reader = (of: 'visitor' | 'block') =>
      new RateLimiterRedis({
        storeClient: redis.client,
        keyPrefix: spaces[of],
        points: tries[of],
        duration: periodS,
        rejectIfRedisNotReady: true,
      });
    const [visitors, blocks] = [reader('visitor'), reader('block')];
    return {
      async spend(visitor, points = 1) {
        try {
          const keys = [`${spaces.visitor}:${visitor.key}`, `${spaces.block}:${visitor.block}`];
          return Number(await spendBoth(keys, [tries.visitor, tries.block, periodS, points]));
        } catch {
          // After any error the limit is counted in this process.
          return alone.spend(visitor, points);
        }
      },
      async look(visitor) {
        try {
          const states = await Promise.all([visitors.get(visitor.key), blocks.get(visitor.block)]);
          const spent = states.find((state) => state !== null && state.remainingPoints <= 0);
          return spent ? Math.max(1, spent.msBeforeNext) : 0;
        } catch {
          return alone.look(visitor);
        }
      },
    };
  };
}
