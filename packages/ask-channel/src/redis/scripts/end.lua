-- Takes an ask down whose wait ended, or closes the claim of a call that ended. What is left tells late answers how.
-- KEYS[1]  <base>slot
-- ARGV[2]  id of the ask
-- ARGV[3]  the worker: only its own asks end
-- ARGV[4]  the wait, empty for whichever it is
-- ARGV[5]  already_answered | expired | cancelled, for an ask that has no answer
-- ARGV[6]  ms that the end is remembered
-- Result   1 where it ended now, else 0
local base = string.sub(KEYS[1], 1, -5)
local id = ARGV[2]
local key, answerKey = base .. 'ask:' .. id, base .. 'answer:' .. id
local ask = redis.call('HMGET', key, 'state', 'worker', 'wait', 'call', 'answer')
if not ask[1] or ask[1] == 'ended' or ask[2] ~= ARGV[3] then return 0 end
if ARGV[4] ~= '' and ask[3] ~= ARGV[4] then return 0 end

local given = ask[5] or redis.call('GET', answerKey)
if given then
  redis.call('HSET', key, 'state', 'ended', 'status', 'already_answered')
  redis.call('HSET', key, 'given', string.match(given, '^%S+ %S+') or '')
else
  redis.call('HSET', key, 'state', 'ended', 'status', ARGV[5])
end
redis.call('HDEL', key, 'ask', 'signature', 'answer', 'claimed', 'call', 'lease', 'expires')
redis.call('PEXPIRE', key, ARGV[6])
redis.call('DEL', answerKey)
redis.call('ZREM', base .. 'index', id)
redis.call('ZREM', base .. 'claims', id)
if ask[4] and ask[4] ~= '' and redis.call('GET', base .. 'call:' .. ask[4]) == id then
  redis.call('DEL', base .. 'call:' .. ask[4])
end
if not given then redis.call('PUBLISH', base .. 'asks', '-' .. id) end
return 1
