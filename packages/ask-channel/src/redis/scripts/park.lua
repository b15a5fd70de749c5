-- Stores an ask, so that approvers see it. The same call whose waiter is gone finds the ask that it left behind.
-- KEYS[1]   <base>slot: names the slot, and the base of all keys and channels
-- ARGV[2]   id of the ask
-- ARGV[3]   the ask, as JSON
-- ARGV[4]   its signature, `-` for none
-- ARGV[5]   its args_digest
-- ARGV[6]   digest of the call, empty for one that is never found again
-- ARGV[7]   the worker, to whose channel answers are announced
-- ARGV[8]   the wait: a token of its own for each
-- ARGV[9]   ms until the wait counts as gone, unless it is refreshed
-- ARGV[10]  ms until the ask expires, empty for never
-- ARGV[11]  ms that an ask without a deadline is kept after the last refresh
-- ARGV[12]  ms that the end of an ask is remembered
-- ARGV[13]  1 where a live approver is demanded
-- ARGV[14]  `find` (the ask of the same call), `fresh` (never), `again` (this wait asks anew: the answer was none)
-- Result    {parked} | {attached, id, ask, signature} | {held, lease} | {nobody}
local base = string.sub(KEYS[1], 1, -5)
local id, text, signature = ARGV[2], ARGV[3], ARGV[4]
local call, worker, wait, mode = ARGV[6], ARGV[7], ARGV[8], ARGV[14]
local lease = string.format('%.0f', now + tonumber(ARGV[9]))
local expires, life = '', ARGV[11]
if ARGV[10] ~= '' then
  expires = string.format('%.0f', now + tonumber(ARGV[10]))
  life = string.format('%.0f', tonumber(ARGV[10]) + tonumber(ARGV[12]))
end
local key = base .. 'ask:' .. id
local index = base .. 'index'

local function held(other, otherLease)
  redis.call('PUBLISH', base .. 'worker:' .. (redis.call('HGET', base .. 'ask:' .. other, 'worker') or ''), '?' .. other)
  return { 'held', otherLease or '' }
end

local function outlive(name)
  if redis.call('PTTL', name) < tonumber(life) then redis.call('PEXPIRE', name, life) end
end

if call ~= '' and mode == 'find' then
  local stored = redis.call('GET', base .. 'call:' .. call)
  if stored and stored ~= id then
    local storedKey = base .. 'ask:' .. stored
    local ask = redis.call('HMGET', storedKey, 'state', 'wait', 'lease', 'expires', 'ask', 'signature')
    local isOpen = ask[4] == '' or (tonumber(ask[4]) or 0) > now or redis.call('EXISTS', base .. 'answer:' .. stored) == 1
    if ask[1] == 'pending' and isOpen then
      if ask[2] ~= wait and (tonumber(ask[3]) or 0) > now then return held(stored, ask[3]) end
      redis.call('HSET', storedKey, 'worker', worker, 'wait', wait, 'lease', lease, 'expires', expires)
      redis.call('PEXPIRE', storedKey, life)
      redis.call('PEXPIRE', base .. 'call:' .. call, life)
      outlive(index)
      return { 'attached', stored, ask[5], ask[6] }
    end
  end
end

local stored = redis.call('HMGET', key, 'state', 'wait', 'lease')
if stored[1] and stored[2] == wait then
  -- Sent twice by the client. Whatever became of the ask since, reading it will tell.
  if mode ~= 'again' then return { 'parked' } end
elseif stored[1] == 'claimed' or (stored[1] == 'pending' and (tonumber(stored[3]) or 0) > now) then
  return held(id, stored[3])
end
if ARGV[13] == '1' and redis.call('ZCOUNT', base .. 'approvers', string.format('%.0f', now), '+inf') == 0 then
  return { 'nobody' }
end

-- Nothing answers an ask before it is put.
redis.call('DEL', base .. 'answer:' .. id)
if mode == 'again' then
  redis.call('HDEL', key, 'answer', 'given')
  redis.call('ZREM', base .. 'claims', id)
end
redis.call('HSET', key, 'state', 'pending', 'ask', text, 'signature', signature, 'digest', ARGV[5], 'call', call,
  'worker', worker, 'wait', wait, 'lease', lease, 'expires', expires)
redis.call('PEXPIRE', key, life)
if call ~= '' then redis.call('SET', base .. 'call:' .. call, id, 'PX', life) end

-- In park order, whatever the server's clock does while asks wait.
local score = clock[1] * 1000000 + clock[2]
local last = redis.call('ZREVRANGE', index, 0, 0, 'WITHSCORES')
if last[2] and tonumber(last[2]) >= score then score = tonumber(last[2]) + 1 end
local place = string.format('%.0f', score)
redis.call('ZADD', index, place, id)
outlive(index)
-- What expired with its worker leaves its place here: each park looks at two.
for _, member in ipairs(redis.call('ZRANDMEMBER', index, 2)) do
  if redis.call('EXISTS', base .. 'ask:' .. member) == 0 then redis.call('ZREM', index, member) end
end
redis.call('PUBLISH', base .. 'asks', '+' .. place .. ' ' .. signature .. ' ' .. text)
return { 'parked' }
