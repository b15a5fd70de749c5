-- Removes the entry of an id that was read and judged.
-- KEYS[1]  the ledger
-- KEYS[2]  exists once this very call has removed it
-- ARGV[1]  until when it may run
-- ARGV[2]  the id
-- ARGV[3]  the channel of changes
-- ARGV[4]  the fingerprint of the entry that was judged and is sound, empty where none was
-- Result   1 where it was removed, 0 where none has that id, else the record that is to be judged, and its fingerprint
-- Error    LATE, DAMAGED
local ledger, id = KEYS[1], ARGV[2]
if redis.call('EXISTS', KEYS[2]) == 1 then return 1 end

local record = redis.call('HGET', ledger, 'e' .. id)
if not record then return 0 end
local _, list, fingerprint = look_at(record)
if fingerprint ~= ARGV[4] then return { record, fingerprint } end
local ids = read_list(ledger, list)
if not ids or not names(ids, id) then return damaged('list') end
-- First what needs no room: a server that has none left refuses nothing to a script that has written.
redis.call('HDEL', ledger, 'e' .. id)
write_list(ledger, list, without(ids, id))
remember(KEYS[2])
redis.call('PUBLISH', ARGV[3], '1')
return 1
