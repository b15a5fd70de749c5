-- A page of the asks that wait, oldest first. Writes nothing.
-- KEYS[1]  <base>slot
-- ARGV[2]  from which place on, such as `-inf` or `(17`
-- ARGV[3]  how many places
-- Result   {last place or empty where that was all, then for each ask: id, place, and signature, blank and JSON, which are
--          empty for one that is damaged}
local base = string.sub(KEYS[1], 1, -5)
local page = redis.call('ZRANGEBYSCORE', base .. 'index', ARGV[2], '+inf', 'WITHSCORES', 'LIMIT', 0, ARGV[3])
local result = { #page < 2 * tonumber(ARGV[3]) and '' or page[#page] }
for at = 1, #page, 2 do
  local id = page[at]
  local ask = redis.pcall('HMGET', base .. 'ask:' .. id, 'wait', 'state', 'expires', 'ask')
  local isDamaged = ask.err or (ask[1] and not ask[2] and not (ask[3] and ask[4]))
  local waits = isDamaged or (ask[1] and not ask[2] and (ask[3] == '' or (tonumber(ask[3]) or 0) > now))
  if waits and redis.call('EXISTS', base .. 'answer:' .. id) == 0 then
    result[#result + 1] = id
    result[#result + 1] = page[at + 1]
    result[#result + 1] = isDamaged and '' or ask[4]
  end
end
return result
