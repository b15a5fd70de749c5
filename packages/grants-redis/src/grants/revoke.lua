-- Removes the entry of an id.
-- KEYS[1]  the ledger
-- KEYS[2]  what this very call gave when it ran before
-- ARGV[1]  not after
-- ARGV[2]  the id
-- ARGV[3]  the channel of changes
-- Result   "1" and the text of the entry removed, in one string, or "0" where none had that id
-- Error    LATE, DAMAGED
local ledger, id = KEYS[1], ARGV[2]
local given = redis.call('GET', KEYS[2])
if given then return given end

local record = redis.call('HGET', ledger, 'e' .. id)
if not record then
  remember(KEYS[2], '0')
  return '0'
end
local list, text = string.match(record, '^%d+ (%S+) (.*)$')
local ids = list and read_list(ledger, list)
if not ids then return damaged('entry ' .. id) end
write_list(ledger, list, without(ids, id))
redis.call('HDEL', ledger, 'e' .. id)
remember(KEYS[2], '1' .. text)
redis.call('PUBLISH', ARGV[3], '1')
return '1' .. text
