-- Goes before the scripts that change a ledger. A ledger is one hash of one project:
--   n        the number of the last place that was given
--   e<id>    an entry: "<place> <list> <text>", where <list> is the field of the list that names it
--   c<call>  a list of ids, a JSON array: the entries that may cover a call, see `call-list.ts`
--   x        such a list: the entries that cover no call
-- Scripts check before they write, since what they wrote stays where they fail. Whether an entry is sound they do not tell:
-- who calls them has judged it, and says by its fingerprint which one that was.
-- Error  DAMAGED <what>: the hash holds what no script of these has put there

-- The last place that there is: beyond it, neither Lua nor JavaScript tells numbers apart.
local LAST_PLACE = 9007199254740991

-- The ids of a list; nil where it is none.
local function read_list(ledger, field)
  local text = redis.call('HGET', ledger, field)
  if not text then return {} end
  local is_json, ids = pcall(cjson.decode, text)
  if not is_json or type(ids) ~= 'table' or string.sub(text, 1, 1) ~= '[' then return nil end
  for _, id in ipairs(ids) do
    if type(id) ~= 'string' then return nil end
  end
  return ids
end

local function write_list(ledger, field, ids)
  if #ids == 0 then
    redis.call('HDEL', ledger, field)
  else
    redis.call('HSET', ledger, field, cjson.encode(ids))
  end
end

local function names(ids, id)
  for _, other in ipairs(ids) do
    if other == id then return true end
  end
  return false
end

local function without(ids, id)
  local rest = {}
  for _, other in ipairs(ids) do
    if other ~= id then rest[#rest + 1] = other end
  end
  return rest
end

-- The place of an entry's record, its list and its fingerprint; a record without a place has one by which nobody asks.
local function look_at(record)
  local place, list = string.match(record, '^(%d+ )(%S+) ')
  return place, list, place and redis.sha1hex(record) or 'none'
end

local function damaged(what)
  return redis.error_reply('DAMAGED ' .. what)
end

-- Remembers that a call ran, for as long as it can be sent again and a second longer; false where it had run before.
local function remember(key)
  return redis.call('SET', key, '1', 'NX', 'PX', ARGV[1] - now + 1000)
end

-- For a call that did nothing after all.
local function undone(key, reply)
  redis.call('DEL', key)
  return reply
end
