-- Forgets the rules of a session.
-- KEYS[1]  the session's rules
-- KEYS[2]  exists once this very call has run
-- ARGV[1]  until when it may run
-- Result   1
-- Error    LATE
if redis.call('EXISTS', KEYS[2]) == 1 then return 1 end
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[2], '1', 'PX', string.format('%.0f', tonumber(ARGV[1]) - now + 1000))
return 1
