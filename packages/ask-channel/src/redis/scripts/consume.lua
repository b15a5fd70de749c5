-- Takes the answers of asks, each once: from then on the call may run, and its claim is open until it is settled.
-- KEYS[1]   <base>slot
-- ARGV[2]   ms that an open claim is kept
-- ARGV[3…]  two for each ask: its id, and the wait
-- Result    one for each: {answer, <line>} | {pending} | {gone} | {lost} | {ended, status} | {failed, why}
local base = string.sub(KEYS[1], 1, -5)
local claims, time = base .. 'claims', string.format('%.0f', now)
local notices, claimed = {}, {}

-- Its places in the index and among the calls count no more then, and go when it ends: here somebody waits.
local function consume(id, wait)
  local key, answerKey = base .. 'ask:' .. id, base .. 'answer:' .. id
  local ask = redis.call('HMGET', key, 'wait', 'state', 'status')
  if not ask[1] then return { 'gone' } end
  if ask[1] ~= wait then return { 'lost' } end
  if ask[2] == 'ended' then return { 'ended', ask[3] or '' } end
  local answer = redis.call('GETEX', answerKey, 'PX', ARGV[2])
  if ask[2] then return { 'answer', answer or '' } end
  if not answer then return { 'pending' } end

  claimed[#claimed + 1] = time
  claimed[#claimed + 1] = id
  notices[#notices + 1] = '-' .. cjson.encode(id)
  return { 'answer', answer }
end

local result = {}
for at = 3, #ARGV, 2 do
  local worked, reply = pcall(consume, ARGV[at], ARGV[at + 1])
  result[#result + 1] = worked and reply or { 'failed', type(reply) == 'table' and reply.err or tostring(reply) }
end
if notices[1] then
  -- First, so that nothing is taken whose claim cannot be recorded.
  redis.call('ZADD', claims, unpack(claimed))
  redis.call('PEXPIRE', claims, ARGV[2])
  for at = 2, #claimed, 2 do
    local key = base .. 'ask:' .. claimed[at]
    redis.call('HSET', key, 'state', 'claimed')
    redis.call('PEXPIRE', key, ARGV[2])
  end
  redis.call('PUBLISH', base .. 'asks', table.concat(notices, '\n'))
end
if clock[2] % 16 == 0 then redis.call('ZREMRANGEBYSCORE', claims, '-inf', string.format('(%.0f', now - ARGV[2])) end
return result
