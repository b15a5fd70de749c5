-- Goes before every script. Leaves the server's time in `now`, in milliseconds, and refuses to run too late: a command
-- that waited in a queue after its caller gave up must do nothing.
-- ARGV[1]  until when it may run, in milliseconds of the server's clock
-- Error    LATE <now>
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
if now >= tonumber(ARGV[1]) then
  return redis.error_reply('LATE ' .. string.format('%.0f', now))
end
