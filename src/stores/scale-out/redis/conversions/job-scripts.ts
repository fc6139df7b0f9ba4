import { z } from 'zod';

/** Who wants a file, and who makes one, is dead when nothing was heard of them for so long, in ms. */
const aliveMs = 3000;
/** A file that was passed on can be read for so long after its last byte, in ms. */
const keepMs = 60_000;
/** A work that killed its makers is not tried again for so long, in ms. */
export const parkMs = 3_600_000;

const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * KEYS: wants, turn, parked, file, wait, deduplication. ARGV: who, key, most that may wait. A visitor's turn is a key
 * that holds what is made for them: the same file may be wanted by several instances at once, another one may not.
 */
export const enterScript = `${now}
local waiting = redis.call('LLEN', KEYS[5])
if redis.call('EXISTS', KEYS[3]) == 1 then return {'parked', waiting} end
local turn = redis.call('GET', KEYS[2])
if turn and turn ~= ARGV[2] then return {'not yet', waiting} end
local file = redis.call('HMGET', KEYS[4], 'length', 'available')
local isMade = file[1] and file[1] == file[2]
if not isMade and waiting >= tonumber(ARGV[3]) and redis.call('EXISTS', KEYS[6]) == 0 then return {'full', waiting} end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ${aliveMs})
redis.call('ZADD', KEYS[1], now + ${aliveMs}, ARGV[1])
redis.call('PEXPIRE', KEYS[1], ${aliveMs})
return {isMade and 'made' or 'enter', waiting}
`;

export const enterAnswer = z.tuple([z.enum(['parked', 'not yet', 'full', 'made', 'enter']), z.number()]);

/**
 * Says that the file is still wanted, and how it is doing. KEYS: wants, turn, file, wait, makers, job. ARGV: who, key,
 * the job's id.
 */
export const lookScript = `${now}
redis.call('ZADD', KEYS[1], now + ${aliveMs}, ARGV[1])
redis.call('PEXPIRE', KEYS[1], ${aliveMs})
local turn = redis.call('GET', KEYS[2])
if not turn or turn == ARGV[2] then redis.call('SET', KEYS[2], ARGV[2], 'PX', ${aliveMs}) end
local file = redis.call('HMGET', KEYS[3], 'length', 'available', 'etag')
local ahead = -1
local place = redis.call('LPOS', KEYS[4], ARGV[3])
if place then ahead = redis.call('LLEN', KEYS[4]) - 1 - place end
return {
  tonumber(file[1]) or -1, tonumber(file[2]) or 0, file[3] or '', ahead,
  redis.call('ZCOUNT', KEYS[5], now, '+inf'), redis.call('EXISTS', KEYS[6]),
  redis.call('HGET', KEYS[6], 'failedReason') or ''
}
`;

export const lookAnswer = z
  .tuple([z.number(), z.number(), z.string(), z.number(), z.number(), z.number(), z.string()])
  .transform(([length, available, etag, ahead, places, exists, failed]) => ({
    length: length < 0 ? null : length,
    available,
    etag,
    /** Jobs before it; null when it does not wait. */
    ahead: ahead < 0 ? null : ahead,
    places,
    exists: exists === 1,
    failed,
  }));

export type JobLook = z.output<typeof lookAnswer>;

/** KEYS: wants, turn. ARGV: who, key. @returns 1 when nobody wants it any more */
export const leaveScript = `${now}
redis.call('ZREM', KEYS[1], ARGV[1])
if redis.call('ZCOUNT', KEYS[1], now, '+inf') > 0 then return 0 end
if redis.call('GET', KEYS[2]) == ARGV[2] then redis.call('DEL', KEYS[2]) end
return 1
`;

/** KEYS: wants. @returns how many instances want it */
export const wantedScript = `${now}
return redis.call('ZCOUNT', KEYS[1], now, '+inf')
`;

/**
 * Passes bytes on. KEYS: wants, file, bytes. ARGV: position, bytes, length, validator, channel. Somebody else may have
 * written the same ones before; other ones are begun anew.
 * @returns how many instances want it
 */
export const passScript = `${now}
if redis.call('HGET', KEYS[2], 'etag') ~= ARGV[4] then
  redis.call('DEL', KEYS[2], KEYS[3])
  redis.call('HSET', KEYS[2], 'length', ARGV[3], 'etag', ARGV[4], 'available', 0)
end
redis.call('SETRANGE', KEYS[3], ARGV[1], ARGV[2])
local available = ARGV[1] + #ARGV[2]
if available > tonumber(redis.call('HGET', KEYS[2], 'available')) then
  redis.call('HSET', KEYS[2], 'available', available)
end
redis.call('PEXPIRE', KEYS[2], ${keepMs})
redis.call('PEXPIRE', KEYS[3], ${keepMs})
redis.call('PUBLISH', ARGV[5], '')
return redis.call('ZCOUNT', KEYS[1], now, '+inf')
`;

/** KEYS: makers. ARGV: a name for each of the places. Those that are dead are forgotten. */
export const aliveScript = `${now}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
for _, place in ipairs(ARGV) do redis.call('ZADD', KEYS[1], now + ${aliveMs}, place) end
redis.call('PEXPIRE', KEYS[1], ${aliveMs})
return 1
`;
