-- Gives a key back unused. Does nothing where the owner does not have it.
-- KEYS[1]  the key, as begin-callback.lua writes it
-- ARGV[2]  owner
-- Result   1 where it gave the key back, else 0
if redis.call("GET", KEYS[1]) == "h" .. ARGV[2] then
  return redis.call("DEL", KEYS[1])
end
return 0
