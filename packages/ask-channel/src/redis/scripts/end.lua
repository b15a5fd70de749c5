-- Takes asks down whose waits ended, and closes the claims of calls that ended. What is left tells late answers how.
-- KEYS[1]   <base>slot
-- ARGV[2]   ms that the end is remembered
-- ARGV[3…]  three for each ask: its id; the wait, or `<worker>/` for whichever wait of that worker it is; and
--           already_answered | expired | cancelled, for an ask that has no answer
-- Result    one for each: {1, 1 where an answer to it was stored, else 0} where it ended now, {0} where it was not to end, {failed, why}
local base = string.sub(KEYS[1], 1, -5)
local calls = base .. 'calls'
local notices = {}

local function finish(id, wait, status)
  local ask = redis.call('HMGET', base .. 'ask:' .. id, 'wait', 'state', 'call')
  if not ask[1] or ask[2] == 'ended' then return { 0 } end
  local isOurs = ask[1] == wait or (string.sub(wait, -1) == '/' and string.sub(ask[1], 1, #wait) == wait)
  if not isOurs then return { 0 } end

  local given = endAsk(base, id, ask[2], status, ARGV[2])
  -- The same call may wait again.
  if ask[3] and ask[3] ~= '' and redis.call('HGET', calls, ask[3]) == id then redis.call('HDEL', calls, ask[3]) end
  if not ask[2] then notices[#notices + 1] = '-' .. cjson.encode(id) end
  return { 1, given and 1 or 0 }
end

local result = {}
for at = 3, #ARGV, 3 do
  local worked, reply = pcall(finish, ARGV[at], ARGV[at + 1], ARGV[at + 2])
  result[#result + 1] = worked and reply or { 'failed', type(reply) == 'table' and reply.err or tostring(reply) }
end
if notices[1] then redis.call('PUBLISH', base .. 'asks', table.concat(notices, '\n')) end
return result
