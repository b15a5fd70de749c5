-- Keeps asks alive whose waits go on, and tells of each what became of it.
-- KEYS[1]   <base>slot
-- ARGV[2]   ms until a wait counts as gone
-- ARGV[3]   ms that an ask without a deadline is kept
-- ARGV[4…]  two for each ask: its id, and the wait
-- Result    {number of live approvers, then for each ask: pending | read | gone | lost | damaged}
local base = string.sub(KEYS[1], 1, -5)
local lease, keep = string.format('%.0f', now + ARGV[2]), ARGV[3]
local result = { redis.call('ZCOUNT', base .. 'approvers', string.format('%.0f', now), '+inf') }

local function stateOf(id, wait)
  local key = base .. 'ask:' .. id
  local ask = redis.pcall('HMGET', key, 'wait', 'state', 'expires')
  if ask.err then return 'damaged' end
  if not ask[1] then return 'gone' end
  if ask[1] ~= wait then return 'lost' end
  if ask[2] then return 'read' end
  redis.call('HSET', key, 'lease', lease)
  if ask[3] == '' then redis.call('PEXPIRE', key, keep) end
  return redis.call('EXISTS', base .. 'answer:' .. id) == 1 and 'read' or 'pending'
end

for at = 4, #ARGV, 2 do
  result[#result + 1] = stateOf(ARGV[at], ARGV[at + 1])
end
for _, name in ipairs({ 'index', 'calls' }) do
  local left = redis.call('PTTL', base .. name)
  if left ~= -2 and left < tonumber(keep) then redis.call('PEXPIRE', base .. name, keep) end
end
return result
