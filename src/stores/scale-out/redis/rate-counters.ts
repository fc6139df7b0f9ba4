import type { MakeRateCounters } from '../../contracts/rate-counters.ts';
import type { RedisConnection } from './connection.ts';

/**
 * Both limits in one call: each call is a write to a socket, which costs more than processing its response. KEYS:
 * visitor, block. ARGV: tries of each, seconds, points of this try; without any, only what the next try would meet is told.
 */
const spendScript = `
local points = tonumber(ARGV[4])
local function spend(key, most)
  if points > 0 then redis.call('SET', key, 0, 'EX', ARGV[3], 'NX') end
  local spent = points > 0 and redis.call('INCRBY', key, points) or tonumber(redis.call('GET', key) or 0) + 1
  if spent > tonumber(most) then return math.max(1, redis.call('PTTL', key)) end
end
return spend(KEYS[1], ARGV[1]) or spend(KEYS[2], ARGV[2]) or 0
`;

/**
 * Counts tries together with all instances, and for this one only while Redis is unreachable or refuses.
 * @param countAlone makes what counts while Redis does not
 */
export function createRedisCounters(redis: RedisConnection, countAlone: MakeRateCounters): MakeRateCounters {
  const spendBoth = redis.script(spendScript);
  return (name, tries, periodS) => {
    const alone = countAlone(name, tries, periodS);
    const keyOf = (of: 'visitor' | 'block', one: string) => redis.name('limit', `${name}-${of}`, one);
    const ask = async ({ key, block }: { key: string; block: string }, points: number) =>
      Number(
        await spendBoth(
          [keyOf('visitor', key), keyOf('block', block)],
          [tries.visitor, tries.block, periodS, points],
        ),
      );
    return {
      // After any error the limit is counted in this process.
      spend: (visitor, points = 1) => ask(visitor, points).catch(() => alone.spend(visitor, points)),
      look: (visitor) => ask(visitor, 0).catch(() => alone.look(visitor)),
    };
  };
}
