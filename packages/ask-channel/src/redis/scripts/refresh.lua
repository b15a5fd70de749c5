-- Keeps asks alive whose waits go on, and tells of each what became of it.
-- KEYS[1]  <base>slot
-- ARGV[2]  ms until a wait counts as gone
-- ARGV[3]  ms that an ask without a deadline is kept
-- ARGV[4…] id and wait of each ask
-- Result   {number of live approvers, then for each ask: pending | read | gone | lost | damaged}
local base = string.sub(KEYS[1], 1, -5)
local lease, keep = string.format('%.0f', now + tonumber(ARGV[2])), ARGV[3]
local result = { redis.call('ZCOUNT', base .. 'approvers', string.format('%.0f', now), '+inf') }

local function stateOf(id, wait)
  local key = base .. 'ask:' .. id
  local ask = redis.pcall('HMGET', key, 'state', 'wait', 'expires', 'call')
  if ask.err then return 'damaged' end
  if not ask[1] then return 'gone' end
  if ask[2] ~= wait then return 'lost' end
  if ask[1] ~= 'pending' then return 'read' end
  redis.call('HSET', key, 'lease', lease)
  if ask[3] == '' then
    redis.call('PEXPIRE', key, keep)
    if ask[4] and ask[4] ~= '' then redis.call('PEXPIRE', base .. 'call:' .. ask[4], keep) end
  end
  return redis.call('EXISTS', base .. 'answer:' .. id) == 1 and 'read' or 'pending'
end

for argument = 4, #ARGV, 2 do
  result[#result + 1] = stateOf(ARGV[argument], ARGV[argument + 1])
end
local left = redis.call('PTTL', base .. 'index')
if left >= 0 and left < tonumber(keep) then redis.call('PEXPIRE', base .. 'index', keep) end
return result
