-- A page of the claims that are open, oldest first. Writes nothing.
-- KEYS[1]  <base>slot
-- ARGV[2]  how many to pass over
-- ARGV[3]  how many places
-- Result   {1 where there may be more, then for each claim: its time, signature of the ask, ask, line of the answer}
local base = string.sub(KEYS[1], 1, -5)
local from = tonumber(ARGV[2])
local page = redis.call('ZRANGE', base .. 'claims', from, from + tonumber(ARGV[3]) - 1)
local result = { #page == tonumber(ARGV[3]) and 1 or 0 }
for _, id in ipairs(page) do
  local ask = redis.pcall('HMGET', base .. 'ask:' .. id, 'state', 'claimed', 'signature', 'ask', 'answer')
  if not ask.err and ask[1] == 'claimed' then
    for field = 2, 5 do result[#result + 1] = ask[field] or '' end
  end
end
return result
