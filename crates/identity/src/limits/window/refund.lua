-- Takes back charges entered at ARGV[1]. KEYS[i] as in check.lua; per policy: kind, cost.
for i, key in ipairs(KEYS) do
  local kind, cost = ARGV[i * 2], tonumber(ARGV[i * 2 + 1])
  if kind == 's' then
    redis.call('LREM', key, -cost, ARGV[1])
  elseif redis.call('EXISTS', key) == 1 and redis.call('DECRBY', key, cost) < 0 then
    redis.call('SET', key, 0, 'EX', 172800)
  end
end
return 1
