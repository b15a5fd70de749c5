-- Marks a key as used. Does nothing where another owner has it, or it was used: so it can be run again.
-- KEYS[1]  the key, as begin-callback.lua writes it
-- ARGV[2]  owner
-- ARGV[3]  what the user leaves
-- ARGV[4]  for how many milliseconds it stays so
-- Result   1 where it marked the key, else 0
local held = redis.call("GET", KEYS[1])
if held and held ~= "h" .. ARGV[2] then
  return 0
end
redis.call("SET", KEYS[1], "d" .. ARGV[3], "PX", ARGV[4])
return 1
