-- Writes the answer to an ask, once, and wakes whoever waits for it.
-- KEYS[1]  <base>slot
-- ARGV[2]  id of the ask
-- ARGV[3]  `=` and the args_digest that the answer is bound to
-- ARGV[4]  token of this answer: sent twice, it is one
-- ARGV[5]  what a repeat has in common with it, `-` for none
-- ARGV[6]  its signature, `-` for none
-- ARGV[7]  the answer, as JSON
-- ARGV[8]  SHA-1 of the ask that was shown, empty where that is not known
-- ARGV[9]  ms that the end of an ask is remembered
-- Result   delivered | already_answered | expired | cancelled | unknown | mismatch | changed (it is not what was shown)
local base = string.sub(KEYS[1], 1, -5)
local id = ARGV[2]
local key, answerKey = base .. 'ask:' .. id, base .. 'answer:' .. id
local ask = redis.call('HMGET', key, 'state', 'digest', 'worker', 'expires', 'status', 'ask', 'answer', 'given')
local answer = redis.call('GET', answerKey)
local earlier = answer or ask[7] or ask[8]
if earlier then
  local token, tag = string.match(earlier, '^(%S+) (%S+)')
  if token == ARGV[4] or (ARGV[5] ~= '-' and tag == ARGV[5]) then return 'delivered' end
end
if not ask[1] then return answer and 'already_answered' or 'unknown' end
if ARGV[3] ~= '=' .. (ask[2] or '') then return 'mismatch' end
if ask[1] == 'ended' then return ask[5] end
if ask[1] ~= 'pending' or answer then return 'already_answered' end
if ask[4] ~= '' and (tonumber(ask[4]) or 0) <= now then return 'expired' end
if ARGV[8] ~= '' and redis.sha1hex(ask[6] or '') ~= ARGV[8] then return 'changed' end

local life = math.max(redis.call('PTTL', key), tonumber(ARGV[9]))
local line = ARGV[4] .. ' ' .. ARGV[5] .. ' ' .. ARGV[6] .. '\n' .. ARGV[7]
redis.call('SET', answerKey, line, 'PX', string.format('%.0f', life))
redis.call('PUBLISH', base .. 'worker:' .. (ask[3] or ''), '!' .. id)
redis.call('PUBLISH', base .. 'asks', '-' .. id)
return 'delivered'
