-- Goes before scripts that read a sorted set page by page. Each page goes on behind the member at which the last one ended,
-- by score and, among equal scores, by bytes: what comes and goes meanwhile hides nothing that stays.
-- ARGV[2]  from which score on, such as `-inf` or `(17`
-- ARGV[3]  behind which member of that score, its bytes in hex: names that are no UTF-8 do not survive the way
-- ARGV[4]  how many members
-- Result   {score and member (in hex) of the last, empty where that was all, then what the script itself gives}
local MOST_BYTES = 4000000

-- Lua's own comparison goes by the server's locale, the order of the set does not.
local function isBehind(member, other)
  for at = 1, math.min(#member, #other) do
    local difference = string.byte(member, at) - string.byte(other, at)
    if difference ~= 0 then return difference > 0 end
  end
  return #member > #other
end

-- `add` puts what is to be told of a member into the result, and gives the number of bytes.
local function readPage(key, add)
  local from, count = ARGV[2], tonumber(ARGV[4])
  local behind = string.gsub(ARGV[3], '%x%x', function(hex) return string.char(tonumber(hex, 16)) end)
  local passed = 0
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', key, from, from)) do
    if not isBehind(member, behind) then passed = passed + 1 end
  end
  local page = redis.call('ZRANGEBYSCORE', key, from, '+inf', 'WITHSCORES', 'LIMIT', passed, count)
  local result, bytes, at = { '', '' }, 0, 1
  while page[at] and bytes < MOST_BYTES do
    bytes = bytes + add(result, page[at], page[at + 1])
    at = at + 2
  end
  if page[at] or #page == 2 * count then
    result[1] = page[at - 1]
    result[2] = string.gsub(page[at - 2], '.', function(byte) return string.format('%02x', string.byte(byte)) end)
  end
  return result
end
