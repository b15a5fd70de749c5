-- Removes every entry.
-- KEYS[1]  the ledger
-- KEYS[2]  what this very call gave when it ran before
-- KEYS[3]  where a damaged ledger is kept
-- ARGV[1]  not after
-- ARGV[2]  "aside" to keep what is there under KEYS[3], which then counts as nothing; else ""
-- ARGV[3]  the channel of changes
-- Result   how many entries there were
-- Error    LATE
local given = redis.call('GET', KEYS[2])
if given then return tonumber(given) end

local count = 0
if ARGV[2] == 'aside' then
  if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('RENAME', KEYS[1], KEYS[3]) end
else
  for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
    if string.sub(field, 1, 1) == 'e' then count = count + 1 end
  end
  redis.call('DEL', KEYS[1])
end
remember(KEYS[2], count)
redis.call('PUBLISH', ARGV[3], '1')
return count
