-- Says that an approver is there, or that it leaves.
-- KEYS[1]  <base>slot
-- ARGV[2]  the approver
-- ARGV[3]  ms that this is believed, 0 where it leaves
-- Result   1
local approvers = string.sub(KEYS[1], 1, -5) .. 'approvers'
local time = tonumber(ARGV[3])
if time == 0 then
  redis.call('ZREM', approvers, ARGV[2])
  return 1
end
redis.call('ZREMRANGEBYSCORE', approvers, '-inf', string.format('(%.0f', now))
-- First, so that nothing is written by somebody who may not set how long it lives.
local left = redis.call('PTTL', approvers)
if left < time then redis.call('PEXPIRE', approvers, ARGV[3]) end
redis.call('ZADD', approvers, string.format('%.0f', now + time), ARGV[2])
if left == -2 then redis.call('PEXPIRE', approvers, ARGV[3]) end
return 1
