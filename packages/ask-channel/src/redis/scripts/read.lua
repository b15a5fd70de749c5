-- One ask, whether or not it waits still. Writes nothing.
-- KEYS[1]  <base>slot
-- ARGV[2]  id of the ask
-- Result   {signature, blank and JSON}, empty where there is none
return { redis.call('HGET', string.sub(KEYS[1], 1, -5) .. 'ask:' .. ARGV[2], 'ask') or '' }
