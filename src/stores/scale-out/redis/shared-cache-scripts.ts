/**
 * Lua for {@link createRedisCache}. Each text is a separate key, which expires by itself. Beside the texts: their
 * expiry times (`ends`, a sorted set), sizes and labels (`facts`, a hash), the sum of the sizes, and the number of
 * drops.
 */
const common = `
local drops, ends, facts, bytes = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local textKey = ARGV[1]
local function forget(key)
  local fact = redis.call('HGET', facts, key)
  if fact then
    redis.call('DECRBY', bytes, string.match(fact, '^%d+'))
    redis.call('HDEL', facts, key)
  end
  redis.call('ZREM', ends, key)
  return redis.call('DEL', textKey .. key)
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function forgetEnded(most)
  for _, key in ipairs(redis.call('ZRANGEBYSCORE', ends, '-inf', now, 'LIMIT', 0, most)) do forget(key) end
end
`;

/** ARGV: the texts' prefix, the number of drops, key, label, life in ms, most bytes, text. */
export const keepScript = `${common}
local since, key, label, life, most, text = ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7]
if (redis.call('GET', drops) or '0') ~= since then return 0 end
forgetEnded(100)
forget(key)
local size = #text + 2 * #key + 300
-- One huge text must not push out all others.
if size > most / 4 then return 0 end
while tonumber(redis.call('GET', bytes) or '0') + size > most do
  local soonest = redis.call('ZRANGE', ends, 0, 0)[1]
  if not soonest then break end
  forget(soonest)
end
redis.call('SET', textKey .. key, text, 'PX', life)
redis.call('ZADD', ends, now + life, key)
redis.call('HSET', facts, key, size .. ' ' .. label)
redis.call('INCRBY', bytes, size)
return 1
`;

/** ARGV: the texts' prefix, channel, news as JSON, "all", "keys" or "suffixes", and these. */
export const dropScript = `${common}
local channel, news, which = ARGV[2], cjson.decode(ARGV[3]), ARGV[4]
local count = 0
forgetEnded(-1)
if which == 'keys' then
  for at = 5, #ARGV do count = count + forget(ARGV[at]) end
else
  for _, key in ipairs(redis.call('ZRANGE', ends, 0, -1)) do
    local matches = which == 'all'
    for at = 5, #ARGV do matches = matches or string.sub(key, -#ARGV[at]) == ARGV[at] end
    if matches then count = count + forget(key) end
  end
end
local number = redis.call('INCR', drops)
redis.call('PUBLISH', channel, string.sub(ARGV[3], 1, -2) .. ',"drops":' .. number .. '}')
return {count, number}
`;
