-- A page of the claims that are open, oldest first. Writes nothing.
-- KEYS[1]  <base>slot
-- ARGV[2]  how many to pass over
-- ARGV[3]  how many places
-- Result   {1 where there may be more, then for each claim: its time; signature, blank and JSON of the ask; and the line of
--          the answer}
local base = string.sub(KEYS[1], 1, -5)
local from = tonumber(ARGV[2])
local page = redis.call('ZRANGE', base .. 'claims', from, from + ARGV[3] - 1, 'WITHSCORES')
local result = { #page == 2 * tonumber(ARGV[3]) and 1 or 0 }
for at = 1, #page, 2 do
  local ask = redis.pcall('HMGET', base .. 'ask:' .. page[at], 'state', 'ask')
  if not ask.err and ask[1] == 'claimed' then
    local answer = redis.pcall('GET', base .. 'answer:' .. page[at])
    result[#result + 1] = page[at + 1]
    result[#result + 1] = ask[2] or ''
    result[#result + 1] = type(answer) == 'string' and answer or ''
  end
end
return result
