-- Removes every entry. A ledger that is not as these scripts leave it is kept under another key, and counts as nothing.
-- KEYS[1]  the ledger
-- KEYS[2]  what this very call gave when it ran before
-- KEYS[3]  where a damaged ledger is kept
-- ARGV[1]  not after
-- ARGV[2]  the channel of changes
-- Result   how many entries there were
-- Error    LATE
local given = redis.call('GET', KEYS[2])
if given then return tonumber(given) end

local function holds(text, id)
  local is_json, grant = pcall(cjson.decode, text)
  return is_json and type(grant) == 'table' and grant.id == id
end

-- How many entries there are; nil where the ledger is damaged.
local function count(ledger)
  local kind = redis.call('TYPE', ledger).ok
  if kind == 'none' then return 0 end
  if kind ~= 'hash' then return nil end
  local entries, named = 0, 0
  local fields = redis.call('HGETALL', ledger)
  for at = 1, #fields, 2 do
    local kind_of_field = string.sub(fields[at], 1, 1)
    if kind_of_field == 'e' then
      local text = string.match(fields[at + 1], '^%d+ %S+ (.*)$')
      if not text or not holds(text, string.sub(fields[at], 2)) then return nil end
      entries = entries + 1
    elseif kind_of_field == 'c' or fields[at] == 'x' then
      local ids = read_list(ledger, fields[at])
      if not ids then return nil end
      named = named + #ids
    elseif fields[at] ~= 'n' then
      return nil
    end
  end
  return entries == named and entries or nil
end

local removed = count(KEYS[1])
if removed then
  redis.call('DEL', KEYS[1])
else
  redis.call('RENAME', KEYS[1], KEYS[3])
  removed = 0
end
remember(KEYS[2], removed)
redis.call('PUBLISH', ARGV[2], '1')
return removed
