-- A page of the asks that wait, oldest first. Writes nothing.
-- KEYS[1]  <base>slot
-- ARGV     as page.lua has them
-- Result   as page.lua has it, then for each ask: id, place, and signature, blank and JSON, which are empty for one that is
--          damaged
local base = string.sub(KEYS[1], 1, -5)

local function add(result, id, place)
  local ask = redis.pcall('HMGET', base .. 'ask:' .. id, 'wait', 'state', 'expires', 'ask')
  local isDamaged = ask.err or (ask[1] and not ask[2] and not (ask[3] and ask[4]))
  local waits = isDamaged or (ask[1] and not ask[2] and (ask[3] == '' or (tonumber(ask[3]) or 0) > now))
  if not waits or redis.call('EXISTS', base .. 'answer:' .. id) == 1 then return 0 end
  local text = isDamaged and '' or ask[4]
  result[#result + 1] = id
  result[#result + 1] = place
  result[#result + 1] = text
  return #id + #text
end

return readPage(base .. 'index', add)
