-- Stores asks, so that approvers see them. The same call whose waiter is gone finds the ask that it left behind.
-- KEYS[1]   <base>slot: names the slot, and the base of all keys and channels
-- ARGV[2]   ms until a wait counts as gone, unless it is refreshed
-- ARGV[3]   ms that an ask without a deadline is kept after the last refresh
-- ARGV[4]   ms that the end of an ask is remembered
-- ARGV[5]   which server this is, from an earlier result; empty where that is not known
-- ARGV[6…]  nine for each ask: its id; signature (`-` for none), a blank and the ask as JSON; its args_digest; the name
--           of its call, empty for one that is never found again; the wait (`<worker>/<n>`, of its own for each); ms until
--           the ask expires, empty for never; how: `find` the ask of the same call, or `demand` a live approver beside
--           that, or `renew` (as `find`, but an earlier ask of this very wait is given up), or `fresh` (whatever is known of
--           the call), or `again` (this very wait, since its answer was none);
--           the ask that was seen held before, or empty; and its lease, where that has run out whatever the clock says,
--           or empty
-- Result    {which server this is}, then one for each ask: {parked} | {attached, id, signature and ask} | {held, lease, id
--           of the ask}, the lease empty where its answer was taken | {nobody} | {failed, why}
local base = string.sub(KEYS[1], 1, -5)
local index, calls = base .. 'index', base .. 'calls'
local lease = string.format('%.0f', now + ARGV[2])
local place = clock[1] * 1000000 + clock[2]
local notices, places, longest = {}, {}, 0

local function held(wait, otherLease, stored)
  redis.call('PUBLISH', base .. 'worker:' .. string.match(wait, '^[^/]*'), '?' .. wait)
  return { 'held', otherLease, stored }
end

local function isLive(otherLease, stale)
  return (tonumber(otherLease) or 0) > now and otherLease ~= stale
end

local function isSameWorker(wait, other)
  return string.match(wait, '^[^/]*/') == string.match(other, '^[^/]*/')
end

-- What is no list of approvers names none.
local function isNobodyThere()
  local count = redis.pcall('ZCOUNT', base .. 'approvers', string.format('%.0f', now), '+inf')
  return type(count) ~= 'number' or count == 0
end

-- Shows it to approvers, after all others.
local function announce(id, text)
  local where = string.format('%.0f', place)
  place = place + 1
  places[#places + 1] = where
  places[#places + 1] = id
  notices[#notices + 1] = '+' .. where .. ' ' .. text
end

-- The ask of the same call, where it still waits: held by whom it belongs to, or attached to. Nil where there is none.
local function find(id, call, wait, expires, life, mode, stale)
  local stored = redis.call('HGET', calls, call)
  local key, answerKey = base .. 'ask:' .. stored, base .. 'answer:' .. stored
  local ask = redis.call('HMGET', key, 'wait', 'state', 'lease', 'expires', 'ask', 'call', 'server')
  -- Its id may have been used again for another call.
  if not ask[1] or ask[2] or ask[6] ~= call then return nil end
  if stored == id and ask[1] == wait then return nil end
  local isOpen = ask[4] == '' or (tonumber(ask[4]) or 0) > now
  local isAnswered = redis.call('EXISTS', answerKey) == 1
  -- A server that restarted, or took the place of another, may have lost that an answer was taken.
  local current = serverName()
  local isSameServer = current ~= '' and ask[7] == current
  local isTrue = isAnswered and isSameServer
  if not isOpen and not isTrue then return nil end
  if mode == 'demand' and not isTrue and isNobodyThere() then return { 'nobody' } end
  if ask[1] ~= wait and isLive(ask[3], stale) then return held(ask[1], ask[3], stored) end
  if stored ~= id and (not isSameServer or (mode == 'renew' and ask[1] == wait)) then
    -- That answer may still be on its way here once more: it names this ask, so nobody else may wait for it under its id.
    endAsk(base, stored, nil, 'cancelled', ARGV[4])
    notices[#notices + 1] = '-' .. cjson.encode(stored)
    return nil
  end
  if isAnswered and not isTrue then
    redis.call('DEL', answerKey)
    announce(stored, ask[5] or '')
  end
  redis.call('HSET', key, 'wait', wait, 'lease', lease, 'expires', expires, 'server', current)
  redis.call('PEXPIRE', key, string.format('%.0f', life))
  longest = math.max(longest, life)
  return { 'attached', stored, ask[5] or '' }
end

-- Whoever held it has taken its answer: nobody who waited for it meanwhile is to ask about the call again.
local function isTaken(id, wait)
  local ask = redis.call('HMGET', base .. 'ask:' .. id, 'state', 'taken', 'wait')
  return ask[2] or (ask[1] == 'claimed' and not isSameWorker(ask[3] or '', wait))
end

local server = ARGV[5] ~= '' and ARGV[5] or serverName()

local function park(id, text, digest, call, wait, remaining, mode, seen, stale)
  local key, answerKey = base .. 'ask:' .. id, base .. 'answer:' .. id
  -- Where it has this wait already, this was sent twice.
  if seen ~= '' and isTaken(seen, wait) and redis.call('HGET', key, 'wait') ~= wait then
    return { 'held', '', seen }
  end
  local expires, life, lifeText = '', tonumber(ARGV[3]), ARGV[3]
  if remaining ~= '' then
    expires = string.format('%.0f', now + remaining)
    life = remaining + ARGV[4]
    lifeText = string.format('%.0f', life)
  end
  local isNamed = false
  if call ~= '' and mode ~= 'fresh' and mode ~= 'again' then
    isNamed = redis.call('HSETNX', calls, call, id) == 1
    local found = not isNamed and find(id, call, wait, expires, life, mode, stale)
    if found then return found end
  end

  local isKnown = redis.call('EXISTS', key, answerKey) > 0
  if isKnown then
    local stored = redis.call('HMGET', key, 'wait', 'state', 'lease')
    if stored[1] == wait then
      -- Sent twice by the client. Reading it will tell what became of it.
      if mode ~= 'again' or not stored[2] then return { 'parked' } end
      redis.call('ZREM', base .. 'claims', id)
    elseif stored[2] == 'claimed' then
      if not isSameWorker(stored[1], wait) then return { 'held', '', id } end
      -- Whoever took the answer asks again, since it did not suffice.
      local given = redis.call('GET', answerKey)
      if given then redis.call('HSET', key, 'given', withHead(redis.call('HGET', key, 'given'), given)) end
      redis.call('ZREM', base .. 'claims', id)
    elseif stored[1] and not stored[2] and isLive(stored[3], stale) then
      return held(stored[1], stored[3], id)
    end
  end
  if mode == 'demand' and isNobodyThere() then
    if isNamed then redis.call('HDEL', calls, call) end
    return { 'nobody' }
  end

  if isKnown then
    -- Nothing answers an ask before it is put.
    redis.call('DEL', answerKey)
    redis.call('HDEL', key, 'state', 'status', 'taken')
  end
  redis.call('HSET', key, 'ask', text, 'digest', digest, 'call', call, 'wait', wait, 'lease', lease, 'expires', expires, 'server', server)
  redis.call('PEXPIRE', key, lifeText)
  if call ~= '' and not isNamed then redis.call('HSET', calls, call, id) end
  longest = math.max(longest, life)
  announce(id, text)
  return { 'parked' }
end

local result = { { server } }
for at = 6, #ARGV, 9 do
  local worked, reply = pcall(park, unpack(ARGV, at, at + 8))
  result[#result + 1] = worked and reply or { 'failed', type(reply) == 'table' and reply.err or tostring(reply) }
end
if places[1] then redis.call('ZADD', index, unpack(places)) end
-- What all asks share outlives the longest. With time in hand, so that it is seldom set.
for _, shared in ipairs({ index, calls }) do
  if redis.call('PTTL', shared) < longest then redis.call('PEXPIRE', shared, string.format('%.0f', 2 * longest)) end
end
if notices[1] then redis.call('PUBLISH', base .. 'asks', table.concat(notices, '\n')) end

-- What expired with its worker leaves its places here: now and then a few are looked at.
local function clean(count)
  local hasFound = false
  for _, id in ipairs(redis.call('ZRANDMEMBER', index, count)) do
    if redis.call('EXISTS', base .. 'ask:' .. id) == 0 then hasFound = redis.call('ZREM', index, id) end
  end
  local named = redis.call('HRANDFIELD', calls, count, 'WITHVALUES')
  for at = 1, #named, 2 do
    if redis.call('EXISTS', base .. 'ask:' .. named[at + 1]) == 0 then hasFound = redis.call('HDEL', calls, named[at]) end
  end
  return hasFound
end
if clock[2] % 16 == 0 and clean(4) then clean(64) end
return result
