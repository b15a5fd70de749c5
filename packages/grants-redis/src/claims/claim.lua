-- Claims a key for one caller.
-- KEYS[1]  the claim
-- ARGV[1]  until when it may run
-- ARGV[2]  the token of this very call
-- ARGV[3]  how long the claim lasts, in milliseconds
-- Result   1 for the first call, also when it is sent again; 0 for every other
-- Error    LATE
local owner = redis.call('GET', KEYS[1])
if owner then return owner == ARGV[2] and 1 or 0 end
redis.call('SET', KEYS[1], ARGV[2], 'NX', 'PX', ARGV[3])
return 1
