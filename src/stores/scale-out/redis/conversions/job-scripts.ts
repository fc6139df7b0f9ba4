import { heavyKeys } from '../../../contracts/conversion-jobs.ts';

/** An order and a worker's place expire when they are not renewed for this long, in ms. */
const aliveMs = 3000;
/** A worker loses its job when it does not renew the lease for this long, in ms. */
const leaseMs = 4000;
/** Lifetime of a job, and of a finished file's bytes, after their last use, in ms. */
const keepMs = 60_000;
/** A job whose workers died this often is parked: no worker tries it again for {@link parkMs}. */
const maxDeaths = 3;
const parkMs = 3_600_000;

/** The failure of a parked job. */
export const parked = 'conversion_parked';

/** The beginning of every script. KEYS: the prefix of all keys, see `createJobKeys`. */
const prelude = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function name(what, key) return KEYS[1] .. ':' .. what .. (key and ':' .. key or '') end
local waiting, active, workers = name('waiting'), name('active'), name('workers')
local heavyWorkers = name('heavy-workers')
local function isHeavy(key) return string.sub(key, 1, ${heavyKeys.length}) == '${heavyKeys}' end

-- The visitors who want a file. A want is an id of 36 characters, a space and the visitor.
local function visitorsOf(key)
  local visitors = redis.call('ZRANGEBYSCORE', name('wants', key), now, '+inf')
  for at, want in ipairs(visitors) do visitors[at] = string.sub(want, 38) end
  return visitors
end

local function includes(list, value)
  for _, one in ipairs(list) do if one == value then return true end end
  return false
end

local function renewWant(key, want)
  redis.call('ZADD', name('wants', key), now + ${aliveMs}, want)
  redis.call('PEXPIRE', name('wants', key), ${aliveMs})
  for _, each in ipairs({waiting, active}) do redis.call('PEXPIRE', each, ${keepMs}) end
  if redis.call('HEXISTS', name('job', key), 'failure') == 0 then
    redis.call('PEXPIRE', name('job', key), ${keepMs})
  end
end

local function addLast(key)
  local last = redis.call('ZRANGE', waiting, -1, -1, 'WITHSCORES')
  redis.call('ZADD', waiting, (last[2] or 0) + 1, key)
  redis.call('PEXPIRE', waiting, ${keepMs})
end

local function addFirst(key)
  local first = redis.call('ZRANGE', waiting, 0, 0, 'WITHSCORES')
  redis.call('ZADD', waiting, (first[2] or 0) - 1, key)
  redis.call('PEXPIRE', waiting, ${keepMs})
end

local function forget(key)
  redis.call('ZREM', waiting, key)
  redis.call('DEL', name('job', key), name('bytes', key))
end

-- The failure expires with the job, and the next order tries again.
local function fail(key, failure, ms)
  redis.call('HSET', name('job', key), 'failure', failure)
  redis.call('PEXPIRE', name('job', key), ms)
  redis.call('PUBLISH', name('news', key), 'failed')
end

local function isMade(key)
  local file = redis.call('HMGET', name('job', key), 'length', 'available')
  return file[1] and file[1] == file[2]
end
`;

/**
 * Adds a job, or joins an existing one. ARGV: key, order, visitor, work, limit of waiting jobs, limit of one visitor's
 * waiting jobs.
 * @returns `parked`, `full` or `entered`, and the number of waiting jobs
 */
export const enterScript = `${prelude}
local key, want, visitor, work = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local failure = redis.call('HGET', name('job', key), 'failure')
if failure == '${parked}' then return {'parked', 0} end
if failure then forget(key) end
local all, own = 0, 0
for _, other in ipairs(redis.call('ZRANGE', waiting, 0, -1)) do
  local visitors = visitorsOf(other)
  if #visitors == 0 then
    forget(other)
  else
    all = all + 1
    if includes(visitors, visitor) then own = own + 1 end
  end
end
if not isMade(key) and not redis.call('ZSCORE', active, key) and not redis.call('ZSCORE', waiting, key) then
  if all >= tonumber(ARGV[5]) or own >= tonumber(ARGV[6]) then return {'full', all} end
  redis.call('HSET', name('job', key), 'work', work)
  addLast(key)
  redis.call('PUBLISH', name('added'), '')
end
renewWant(key, want)
return {'entered', all}
`;

/**
 * Renews an order. ARGV: key, order.
 * @returns length or -1, available bytes, etag, failure, jobs ahead or -1, places of workers, 1 while there is a job or
 *   a file, the job's progress
 */
export const lookScript = `${prelude}
local key = ARGV[1]
renewWant(key, ARGV[2])
local job = redis.call('HMGET', name('job', key), 'length', 'available', 'etag', 'failure', 'made')
local ahead = redis.call('ZRANK', waiting, key)
local lease = redis.call('ZSCORE', active, key)
local places = redis.call('ZCOUNT', isHeavy(key) and heavyWorkers or workers, now, '+inf')
-- A worker that stops has no places any more, but ends what it makes.
if lease and tonumber(lease) > now then places = places + 1 end
return {
  tonumber(job[1]) or -1, tonumber(job[2]) or 0, job[3] or '', job[4] or '', ahead or -1, places,
  (ahead or lease or isMade(key)) and 1 or 0, job[5] or '0'
}
`;

/** Ends an order, and with the last one the job. ARGV: key, order, visitor. */
export const leaveScript = `${prelude}
local key, visitor = ARGV[1], ARGV[3]
redis.call('ZREM', name('wants', key), ARGV[2])
local visitors = visitorsOf(key)
if #visitors == 0 then
  if redis.call('ZSCORE', waiting, key) then forget(key) end
  redis.call('PUBLISH', name('news', key), 'unwanted')
elseif not includes(visitors, visitor) and redis.call('HGET', name('job', key), 'visitor') == visitor then
  -- It runs on for others: the visitor's next job may start.
  redis.call('HDEL', name('job', key), 'visitor')
  redis.call('PUBLISH', name('added'), '')
end
return 1
`;

/**
 * Takes the first job that may start: one of whose visitors has no running job. The visitor's other jobs then go behind
 * those of all other visitors, so that visitors are served round-robin. Jobs of dead workers come first; jobs without
 * orders are removed. ARGV: worker, 1 when it may be a heavy one.
 * @returns key and work, or false
 */
export const takeScript = `${prelude}
for _, key in ipairs(redis.call('ZRANGEBYSCORE', active, '-inf', now)) do
  redis.call('ZREM', active, key)
  if redis.call('EXISTS', name('job', key)) == 1 then
    redis.call('HDEL', name('job', key), 'worker', 'visitor', 'made')
    if redis.call('HINCRBY', name('job', key), 'deaths', 1) >= ${maxDeaths} then
      fail(key, '${parked}', ${parkMs})
    else
      addFirst(key)
    end
  end
end

local busy = {}
for _, key in ipairs(redis.call('ZRANGE', active, 0, -1)) do
  busy[redis.call('HGET', name('job', key), 'visitor') or ''] = true
end
local taken, turn = nil, nil
for _, key in ipairs(redis.call('ZRANGE', waiting, 0, -1)) do
  local visitors = visitorsOf(key)
  if #visitors == 0 then
    forget(key)
  elseif not taken and (ARGV[2] == '1' or not isHeavy(key)) then
    for _, visitor in ipairs(visitors) do
      if not busy[visitor] then taken, turn = key, visitor break end
    end
  end
end
if not taken then return false end

redis.call('ZREM', waiting, taken)
for _, key in ipairs(redis.call('ZRANGE', waiting, 0, -1)) do
  local visitors = visitorsOf(key)
  if #visitors == 1 and visitors[1] == turn then addLast(key) end
end
redis.call('ZADD', active, now + ${leaseMs}, taken)
redis.call('PEXPIRE', active, ${keepMs})
redis.call('HSET', name('job', taken), 'worker', ARGV[1], 'visitor', turn)
redis.call('PEXPIRE', name('job', taken), ${keepMs})
redis.call('PUBLISH', name('news', taken), 'taken')
return {taken, redis.call('HGET', name('job', taken), 'work') or ''}
`;

/** Whether a job is this worker's, and renews its lease. ARGV: key, worker. */
const renewal = `${prelude}
local key = ARGV[1]
if redis.call('HGET', name('job', key), 'worker') ~= ARGV[2] then return -1 end
redis.call('ZADD', active, now + ${leaseMs}, key)
redis.call('PEXPIRE', active, ${keepMs})
redis.call('PEXPIRE', name('job', key), ${keepMs})
`;

/**
 * Renews the lease of a job. ARGV: key, worker.
 * @returns the number of its orders; -1 when the job is no longer the worker's
 */
export const renewScript = `${renewal}
return #visitorsOf(key)
`;

/**
 * Appends bytes and renews the lease. Bytes of the same etag stay, so that readers continue where a dead worker
 * stopped. ARGV: key, worker, position, bytes, length, etag.
 * @returns as {@link renewScript}
 */
export const passScript = `${renewal}
local job, bytes = name('job', key), name('bytes', key)
if redis.call('HGET', job, 'etag') ~= ARGV[6] then
  redis.call('DEL', bytes)
  redis.call('HSET', job, 'length', ARGV[5], 'etag', ARGV[6], 'available', 0)
end
redis.call('SETRANGE', bytes, ARGV[3], ARGV[4])
local available = ARGV[3] + #ARGV[4]
if available > tonumber(redis.call('HGET', job, 'available')) then
  redis.call('HSET', job, 'available', available)
end
redis.call('PEXPIRE', bytes, ${keepMs})
redis.call('PUBLISH', name('news', key), '')
return #visitorsOf(key)
`;

/** Says how far a job is made. ARGV: key, worker, fraction. @returns as {@link renewScript} */
export const madeScript = `${renewal}
redis.call('HSET', name('job', key), 'made', ARGV[3])
redis.call('PUBLISH', name('news', key), '')
return #visitorsOf(key)
`;

/**
 * Ends the worker's part in a job. ARGV: key, worker, `done`, `unwanted`, `back` (another worker goes on) or `failed`,
 * failure.
 */
export const finishScript = `${prelude}
local key, outcome = ARGV[1], ARGV[3]
if redis.call('HGET', name('job', key), 'worker') ~= ARGV[2] then return 0 end
redis.call('ZREM', active, key)
redis.call('HDEL', name('job', key), 'worker', 'visitor', 'made')
if outcome == 'failed' then
  fail(key, ARGV[4], ${keepMs})
elseif outcome == 'back' or (outcome == 'unwanted' and #visitorsOf(key) > 0) then
  addFirst(key)
  redis.call('PUBLISH', name('added'), '')
elseif outcome == 'unwanted' then
  forget(key)
end
return 1
`;

/**
 * Registers the places of a worker, and removes those of dead workers. ARGV: number of places for heavy jobs, a name
 * for each place.
 */
export const aliveScript = `${prelude}
for _, all in ipairs({workers, heavyWorkers}) do redis.call('ZREMRANGEBYSCORE', all, '-inf', now) end
for at = 2, #ARGV do
  redis.call('ZADD', workers, now + ${aliveMs}, ARGV[at])
  if at - 1 <= tonumber(ARGV[1]) then redis.call('ZADD', heavyWorkers, now + ${aliveMs}, ARGV[at]) end
end
for _, all in ipairs({workers, heavyWorkers}) do redis.call('PEXPIRE', all, ${aliveMs}) end
return 1
`;
