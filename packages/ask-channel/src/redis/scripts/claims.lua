-- A page of the claims that are open, oldest first. Writes nothing.
-- KEYS[1]  <base>slot
-- ARGV     as page.lua has them
-- Result   as page.lua has it, then for each claim: its time; signature, blank and JSON of the ask; and the line of the
--          answer
local base = string.sub(KEYS[1], 1, -5)

local function add(result, id, time)
  local ask = redis.pcall('HMGET', base .. 'ask:' .. id, 'state', 'ask')
  if ask.err or ask[1] ~= 'claimed' then return 0 end
  local answer = redis.pcall('GET', base .. 'answer:' .. id)
  local text, line = ask[2] or '', type(answer) == 'string' and answer or ''
  result[#result + 1] = time
  result[#result + 1] = text
  result[#result + 1] = line
  return #text + #line
end

return readPage(base .. 'claims', add)
