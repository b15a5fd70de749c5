-- Puts an entry in the place of the one of its id, whole, or at the end. What it replaces must be the same, or have been
-- judged: nothing damaged is written over.
-- KEYS[1]  the ledger
-- KEYS[2]  exists once this very call has done its work
-- ARGV[1]  until when it may run
-- ARGV[2]  the id
-- ARGV[3]  the field of the list that names it
-- ARGV[4]  the text
-- ARGV[5]  the channel of changes
-- ARGV[6]  the fingerprint of the former entry that was judged and is sound, empty where none was
-- Result   the fingerprint of the entry, empty where this very call ran before; or, where nothing was done, the record that
--          is to be judged, and its fingerprint
-- Error    LATE, DAMAGED
local ledger, id, list = KEYS[1], ARGV[2], ARGV[3]
if not remember(KEYS[2]) then return '' end

local field, entry = 'e' .. id, list .. ' ' .. ARGV[4]
local record = redis.call('HGET', ledger, field)
local place, former
if record then
  local fingerprint
  place, former, fingerprint = look_at(record)
  if place and record == place .. entry then return fingerprint end
  if fingerprint ~= ARGV[6] then return undone(KEYS[2], { record, fingerprint }) end
end
local ids, others
if former ~= list then
  ids = read_list(ledger, list)
  others = former and read_list(ledger, former)
  local fits = ids and not names(ids, id) and (not former or (others and names(others, id)))
  if not fits then return undone(KEYS[2], damaged('list')) end
end
if not place then
  local last = redis.call('HGET', ledger, 'n') or '0'
  local is_number = last == '0' or string.match(last, '^[1-9]%d*$')
  if not is_number or tonumber(last) >= LAST_PLACE then
    return undone(KEYS[2], damaged('number of the last place'))
  end
  place = string.format('%.0f ', redis.call('HINCRBY', ledger, 'n', 1))
end
if ids then
  ids[#ids + 1] = id
  write_list(ledger, list, ids)
  if former then write_list(ledger, former, without(others, id)) end
end
record = place .. entry
redis.call('HSET', ledger, field, record)
redis.call('PUBLISH', ARGV[5], '1')
return redis.sha1hex(record)
