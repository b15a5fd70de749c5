-- Reads the entries that may cover a call.
-- KEYS[1]  the ledger
-- ARGV[1]  the list of what covers every call of the tool
-- ARGV[2]  the list of what covers calls of the tool with arguments of this digest
-- Result   the list of what covers nothing, as its text, empty where there is none; then the records
-- Error    DAMAGED
local lists = redis.call('HMGET', KEYS[1], ARGV[1], ARGV[2], 'x')
local reply = { lists[3] or '' }
for at = 1, 2 do
  local list = lists[at]
  if list then
    -- Nearly every list names one grant, whose id needs no decoding.
    local only = string.match(list, '^%["([^"\\]*)"%]$')
    local is_json, ids = true, { only }
    if not only then is_json, ids = pcall(cjson.decode, list) end
    -- One that names nothing is not left lying: it would hide what it named.
    if not is_json or type(ids) ~= 'table' or #ids == 0 then return redis.error_reply('DAMAGED list') end
    for _, id in ipairs(ids) do
      if type(id) ~= 'string' then return redis.error_reply('DAMAGED list') end
      local record = redis.call('HGET', KEYS[1], 'e' .. id)
      if not record then return redis.error_reply('DAMAGED entry ' .. id) end
      reply[#reply + 1] = record
    end
  end
end
return reply
