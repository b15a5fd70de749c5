-- Records a rule of a session at the end, unless the session knows it or is full.
-- KEYS[1]  the session's rules, a list of texts
-- KEYS[2]  exists once this very call has run
-- ARGV[1]  until when it may run
-- ARGV[2]  the rule's canonical text
-- ARGV[3]  how many rules a session keeps
-- ARGV[4]  after how many milliseconds without use a session is forgotten; 0: never
-- Result   1
-- Error    LATE
if redis.call('EXISTS', KEYS[2]) == 1 then return 1 end
local rules = redis.call('LRANGE', KEYS[1], 0, -1)
local isNew = #rules < tonumber(ARGV[3])
for _, rule in ipairs(rules) do
  if rule == ARGV[2] then isNew = false end
end
if isNew then redis.call('RPUSH', KEYS[1], ARGV[2]) end
if ARGV[4] ~= '0' then redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
redis.call('SET', KEYS[2], '1', 'PX', string.format('%.0f', tonumber(ARGV[1]) - now + 1000))
return 1
