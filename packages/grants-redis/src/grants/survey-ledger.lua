-- Goes before the scripts that look at a whole ledger. Gives its fingerprint, which is another one after any change of a
-- hash, and its fields and their values in turn.
local function survey(ledger)
  local kind = redis.call('TYPE', ledger).ok
  if kind ~= 'hash' then return kind, {} end
  local fields = redis.call('HGETALL', ledger)
  local parts = {}
  for at = 1, #fields, 2 do
    parts[#parts + 1] = #fields[at] .. ' ' .. fields[at] .. fields[at + 1]
  end
  -- What did not change may still be given in another order.
  table.sort(parts)
  for at, part in ipairs(parts) do
    parts[at] = #part .. ' ' .. part
  end
  return redis.sha1hex(table.concat(parts)), fields
end
