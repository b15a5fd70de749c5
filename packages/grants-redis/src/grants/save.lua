-- Puts an entry in the place of the one of its id, whole, or at the end.
-- KEYS[1]  the ledger
-- KEYS[2]  exists once this very call has run
-- ARGV[1]  not after
-- ARGV[2]  the id
-- ARGV[3]  the field of the list that names it
-- ARGV[4]  the text
-- ARGV[5]  the channel of changes
-- Result   1
-- Error    LATE, DAMAGED
local ledger, id, list = KEYS[1], ARGV[2], ARGV[3]
if not remember_first(KEYS[2]) then return 1 end

local record = redis.call('HGET', ledger, 'e' .. id)
local place, former
if record then
  place, former = string.match(record, '^(%d+) (%S+) ')
  if not place then return undone(KEYS[2], 'entry ' .. id) end
end
if former ~= list then
  local ids = read_list(ledger, list)
  local others = former and read_list(ledger, former)
  if not ids or (former and not others) then return undone(KEYS[2], 'list') end
  ids[#ids + 1] = id
  write_list(ledger, list, ids)
  if former then write_list(ledger, former, without(others, id)) end
end
if not place then place = string.format('%.0f', redis.call('HINCRBY', ledger, 'n', 1)) end
redis.call('HSET', ledger, 'e' .. id, place .. ' ' .. list .. ' ' .. ARGV[4])
redis.call('PUBLISH', ARGV[5], '1')
return 1
