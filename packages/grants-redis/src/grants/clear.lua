-- Removes every entry of a ledger that was read and judged, or keeps it under another key.
-- KEYS[1]  the ledger
-- KEYS[2]  exists once this very call has done its work
-- KEYS[3]  where a damaged ledger is kept
-- ARGV[1]  until when it may run
-- ARGV[2]  the channel of changes
-- ARGV[3]  the fingerprint of what was judged
-- ARGV[4]  "1" where it is sound, "0" where it is damaged
-- Result   1, or 0 where the ledger has changed since and must be judged anew
-- Error    LATE
if redis.call('EXISTS', KEYS[2]) == 1 then return 1 end
if survey(KEYS[1]) ~= ARGV[3] then return 0 end

if ARGV[4] == '1' then
  redis.call('DEL', KEYS[1])
else
  redis.call('RENAME', KEYS[1], KEYS[3])
end
remember(KEYS[2])
redis.call('PUBLISH', ARGV[2], '1')
return 1
