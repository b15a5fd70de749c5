-- Goes before scripts that must know which server they run on: another name once it restarted, or another took its place.
-- Empty where it does not tell.
local function serverName()
  local server, replication = redis.pcall('INFO', 'server'), redis.pcall('INFO', 'replication')
  if type(server) ~= 'string' or type(replication) ~= 'string' then return '' end
  return (string.match(server, 'run_id:(%x+)') or '') .. (string.match(replication, 'master_replid:(%x+)') or '')
end
