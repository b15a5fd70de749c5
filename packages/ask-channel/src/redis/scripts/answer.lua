-- Writes answers to asks, each once, and wakes whoever waits for them.
-- KEYS[1]   <base>slot
-- ARGV[2]   ms that the end of an ask is remembered
-- ARGV[3…]  five for each answer: the ask's id; its args_digest, to which the answer is bound; a token (sent twice, an
--           answer is one), a blank, what a repeat has in common with it (`-` for none), a blank and its signature (`-` for
--           none); the answer as JSON; and what was shown: signature, blank and the ask's JSON, or `#` and the SHA-1 of
--           these, or nothing where that is not known
-- Result    one for each: {status}, which is delivered | already_answered | expired | cancelled | unknown | mismatch |
--           changed (the ask is not what was shown); or {failed, why}
local base = string.sub(KEYS[1], 1, -5)
local wakes = {}

-- Whether one of `earlier`, the beginnings of answers that were given, is this one's: sent twice, or repeated.
local function isAmong(earlier, head)
  local ownToken, ownTag = string.match(head, '^(%S+) (%S+)')
  for token, tag in string.gmatch(earlier, '(%S+) (%S+)') do
    if token == ownToken or (ownTag ~= '-' and tag == ownTag) then return true end
  end
  return false
end

-- Why it is not to be written; nil where it is.
local function refusal(ask, digest, shown)
  if digest ~= ask[2] then return 'mismatch' end
  if ask[5] == 'ended' then return ask[6] or '' end
  if ask[5] then return 'already_answered' end
  if ask[3] ~= '' and (tonumber(ask[3]) or 0) <= now then return 'expired' end
  local stored = ask[4] or ''
  if shown ~= '' and shown ~= stored and shown ~= '#' .. redis.sha1hex(stored) then return 'changed' end
end

local function answer(id, digest, head, text, shown)
  local key, answerKey = base .. 'ask:' .. id, base .. 'answer:' .. id
  local ask = redis.call('HMGET', key, 'wait', 'digest', 'expires', 'ask', 'state', 'status', 'given')
  local why = not ask[1] and 'unknown' or refusal(ask, digest, shown)
  if why or ask[7] then
    local given = redis.call('GET', answerKey)
    if isAmong((given and headOf(given) or '') .. '\n' .. (ask[7] or ''), head) then return { 'delivered' } end
    if why then return { given and why ~= 'mismatch' and ask[5] ~= 'ended' and 'already_answered' or why } end
  end

  local life = ask[3] ~= '' and ask[3] - now + ARGV[2] or math.max(redis.call('PTTL', key), tonumber(ARGV[2]))
  local given = redis.call('SET', answerKey, head .. '\n' .. text, 'NX', 'GET', 'PX', string.format('%.0f', life))
  if given then return { isAmong(headOf(given), head) and 'delivered' or 'already_answered' } end
  local worker = string.match(ask[1], '^[^/]*')
  wakes[worker] = (wakes[worker] and wakes[worker] .. '\n!' or '!') .. ask[1]
  return { 'delivered' }
end

local result = {}
for at = 3, #ARGV, 5 do
  local worked, reply = pcall(answer, unpack(ARGV, at, at + 4))
  result[#result + 1] = worked and reply or { 'failed', type(reply) == 'table' and reply.err or tostring(reply) }
end
for worker, lines in pairs(wakes) do redis.call('PUBLISH', base .. 'worker:' .. worker, lines) end
return result
