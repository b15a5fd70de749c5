-- Takes the answer of an ask, once: from then on the call may run, and its claim is open until it is settled.
-- KEYS[1]  <base>slot
-- ARGV[2]  id of the ask
-- ARGV[3]  the wait
-- ARGV[4]  ms that an open claim is kept
-- Result   {answer, <line>} | {pending} | {gone} | {lost} | {ended, status}
local base = string.sub(KEYS[1], 1, -5)
local id = ARGV[2]
local key, claims = base .. 'ask:' .. id, base .. 'claims'
local ask = redis.call('HMGET', key, 'state', 'wait', 'call', 'answer', 'status')
if not ask[1] then return { 'gone' } end
if ask[2] ~= ARGV[3] then return { 'lost' } end
if ask[1] == 'claimed' then return { 'answer', ask[4] } end
if ask[1] ~= 'pending' then return { 'ended', ask[5] } end
local answer = redis.call('GET', base .. 'answer:' .. id)
if not answer then return { 'pending' } end

redis.call('HSET', key, 'state', 'claimed', 'answer', answer, 'claimed', string.format('%.0f', now))
redis.call('PEXPIRE', key, ARGV[4])
redis.call('DEL', base .. 'answer:' .. id)
redis.call('ZREM', base .. 'index', id)
-- The same call is a new ask from now on.
if ask[3] and ask[3] ~= '' and redis.call('GET', base .. 'call:' .. ask[3]) == id then
  redis.call('DEL', base .. 'call:' .. ask[3])
end
redis.call('ZADD', claims, string.format('%.0f', now), id)
redis.call('ZREMRANGEBYSCORE', claims, '-inf', string.format('(%.0f', now - tonumber(ARGV[4])))
redis.call('PEXPIRE', claims, ARGV[4])
return { 'answer', answer }
