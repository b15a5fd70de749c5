-- Goes before scripts that end asks. What is left of one tells late answers how it ended: `status`, where it has no answer and
-- was not claimed. `taken`: its answer counted, so nobody who waited for it is to ask anew. Gives the answer, false where it has none.
local function endAsk(base, id, state, status, keptMs)
  local key, answerKey = base .. 'ask:' .. id, base .. 'answer:' .. id
  local given = redis.call('GET', answerKey)
  if given then
    redis.call('HSET', key, 'given', withHead(redis.call('HGET', key, 'given'), given))
    redis.call('DEL', answerKey)
  end
  redis.call('HSET', key, 'state', 'ended', 'status', (given or state) and 'already_answered' or status)
  if state == 'claimed' and status == 'already_answered' then redis.call('HSET', key, 'taken', '1') end
  redis.call('HDEL', key, 'ask', 'call', 'lease', 'expires')
  redis.call('PEXPIRE', key, keptMs)
  redis.call('ZREM', base .. 'index', id)
  redis.call('ZREM', base .. 'claims', id)
  return given
end
