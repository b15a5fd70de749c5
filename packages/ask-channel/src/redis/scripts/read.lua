-- One ask, whether or not it waits still. Writes nothing.
-- KEYS[1]  <base>slot
-- ARGV[2]  id of the ask
-- Result   {signature, ask}, both empty where there is none
local base = string.sub(KEYS[1], 1, -5)
local ask = redis.call('HMGET', base .. 'ask:' .. ARGV[2], 'signature', 'ask')
return { ask[1] or '', ask[2] or '' }
