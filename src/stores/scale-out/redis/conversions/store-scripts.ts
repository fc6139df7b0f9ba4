/** An owner without a message for this long, in ms, is dead. */
const leaseMs = 3000;

const now = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** KEYS: state, teller, parts. ARGV: owner, state, channel. The first owner publishes the state. */
export const publishStateScript = `${now}
redis.call('ZADD', KEYS[3], now + ${leaseMs}, ARGV[1])
redis.call('PEXPIRE', KEYS[3], ${leaseMs})
local teller = redis.call('GET', KEYS[2])
if teller and teller ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ${leaseMs})
redis.call('SET', KEYS[1], ARGV[2], 'PX', ${leaseMs})
redis.call('PUBLISH', ARGV[3], ARGV[2])
return 1
`;

/**
 * KEYS as above. ARGV: owner, last state or nothing, channel, 1 when the file exists, how long it is remembered in ms.
 * The next owner takes over and publishes within a second.
 */
export const endScript = `${now}
redis.call('ZREM', KEYS[3], ARGV[1])
local teller = redis.call('GET', KEYS[2])
if teller and teller ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[2])
if ARGV[4] == '0' and redis.call('ZCOUNT', KEYS[3], now, '+inf') > 0 then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1])
else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[5]) end
redis.call('PUBLISH', ARGV[3], ARGV[2])
return 1
`;
