-- Keeps asks alive whose waits go on, for what is left of their time, however clocks were set. Tells what became of each.
-- KEYS[1]   <base>slot
-- ARGV[2]   ms until a wait counts as gone
-- ARGV[3]   ms that an ask without a deadline is kept
-- ARGV[4]   ms that the end of an ask is remembered
-- ARGV[5]   the server that was known before
-- ARGV[6…]  four for each ask: its id; the wait; ms until the ask expires, empty for never; and 1 where that server was
--           the last to hold it
-- Result    {number of live approvers, which server this is, then for each ask: pending | read | ended | gone | lost |
--           damaged}
local base = string.sub(KEYS[1], 1, -5)
local lease, longest = string.format('%.0f', now + ARGV[2]), tonumber(ARGV[3])
local server = serverName()
-- What is no list of approvers names none.
local approvers = redis.pcall('ZCOUNT', base .. 'approvers', string.format('%.0f', now), '+inf')
local result = { type(approvers) == 'number' and approvers or 0, server }

local function stateOf(id, wait, remaining, isKnown)
  local key = base .. 'ask:' .. id
  local ask = redis.pcall('HMGET', key, 'wait', 'state')
  if ask.err then return 'damaged' end
  if not ask[1] then return 'gone' end
  if ask[1] ~= wait then return 'lost' end
  if ask[2] then return ask[2] == 'ended' and 'ended' or 'read' end
  local expires, life = '', tonumber(ARGV[3])
  if remaining ~= '' then
    expires = string.format('%.0f', now + remaining)
    life = remaining + ARGV[4]
  end
  longest = math.max(longest, life)
  redis.call('HSET', key, 'lease', lease, 'expires', expires)
  redis.call('PEXPIRE', key, string.format('%.0f', life))
  if redis.call('EXISTS', base .. 'answer:' .. id) == 1 then return 'read' end
  -- Whatever answer comes from now on was given on this server. Of a new one, the wait must see first whether that counts.
  if isKnown == '1' and ARGV[5] == server then redis.call('HSET', key, 'server', server) end
  return 'pending'
end

for at = 6, #ARGV, 4 do
  result[#result + 1] = stateOf(unpack(ARGV, at, at + 3))
end
for _, name in ipairs({ 'index', 'calls' }) do
  local left = redis.call('PTTL', base .. name)
  if left ~= -2 and left < longest then redis.call('PEXPIRE', base .. name, string.format('%.0f', longest)) end
end
return result
