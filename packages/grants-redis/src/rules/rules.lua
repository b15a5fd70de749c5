-- Reads the rules of a session, which counts as use.
-- KEYS[1]  the session's rules, a list of texts
-- ARGV[1]  until when it may run
-- ARGV[2]  after how many milliseconds without use a session is forgotten; 0: never
-- Result   the texts in the order in which they were recorded
-- Error    LATE
if ARGV[2] ~= '0' then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return redis.call('LRANGE', KEYS[1], 0, -1)
