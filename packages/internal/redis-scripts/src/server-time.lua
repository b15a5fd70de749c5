-- KEYS     none, or any key of the node that is asked
-- Result   the server's time, in milliseconds
local clock = redis.call('TIME')
return clock[1] * 1000 + math.floor(clock[2] / 1000)
