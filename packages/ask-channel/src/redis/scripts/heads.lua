-- Goes before scripts that deal with the beginnings of answers, token and tag, by which one that is sent twice is known.
-- `given` of an ask has those of its earlier answers, a line each.
local MOST_HEADS = 8

local function headOf(answer)
  return string.match(answer, '^%S+ %S+') or ''
end

local function withHead(earlier, answer)
  local heads = {}
  for head in string.gmatch(earlier or '', '[^\n]+') do heads[#heads + 1] = head end
  heads[#heads + 1] = headOf(answer)
  if #heads > MOST_HEADS then table.remove(heads, 1) end
  return table.concat(heads, '\n')
end
