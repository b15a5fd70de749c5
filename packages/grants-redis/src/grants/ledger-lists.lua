-- Goes before the scripts that change a ledger. A ledger is one hash of one project:
--   n        the number of the last place that was given
--   e<id>    an entry: "<place> <list> <text>", where <list> is the field of the list that names it
--   c<call>  a list of ids, a JSON array: the entries that may cover a call, see `call-list.ts`
--   x        such a list: the entries that cover no call
-- Scripts check before they write, since what they wrote stays where they fail.
-- Error  DAMAGED <what>: the hash holds what no script of these has put there

local function read_list(ledger, field)
  local text = redis.call('HGET', ledger, field)
  if not text then return {} end
  local is_json, ids = pcall(cjson.decode, text)
  if is_json and type(ids) == 'table' then return ids end
  return nil
end

local function write_list(ledger, field, ids)
  if #ids == 0 then
    redis.call('HDEL', ledger, field)
  else
    redis.call('HSET', ledger, field, cjson.encode(ids))
  end
end

local function without(ids, id)
  local rest = {}
  for _, other in ipairs(ids) do
    if other ~= id then rest[#rest + 1] = other end
  end
  return rest
end

local function damaged(what)
  return redis.error_reply('DAMAGED ' .. what)
end

-- For as long as a call can be sent again, and a second longer.
local function while_sendable()
  return string.format('%.0f', tonumber(ARGV[1]) - now + 1000)
end

-- Remembers what a call gave.
local function remember(key, value)
  redis.call('SET', key, value, 'PX', while_sendable())
end

-- Remembers that a call ran; false where it had run before.
local function remember_first(key)
  return redis.call('SET', key, '1', 'NX', 'PX', while_sendable())
end

-- For a call that did nothing after all.
local function undone(key, what)
  redis.call('DEL', key)
  return damaged(what)
end
