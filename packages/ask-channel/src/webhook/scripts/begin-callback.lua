-- Takes a key for one owner, unless it was used or another has it. Can be run again by the same owner.
-- KEYS[1]  the key: "h" and the owner while somebody has it, "d" and what the user left once it was used
-- ARGV[2]  owner
-- ARGV[3]  after how many milliseconds another may take it
-- Result   {"begun"}, {"busy"} or {"done", text}
local held = redis.call("GET", KEYS[1])
if held and string.sub(held, 1, 1) == "d" then
  return { "done", string.sub(held, 2) }
end
if held and held ~= "h" .. ARGV[2] then
  return { "busy" }
end
redis.call("SET", KEYS[1], "h" .. ARGV[2], "PX", ARGV[3])
return { "begun" }
