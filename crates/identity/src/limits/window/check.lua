-- Checks all policies and charges all of them or none.
-- KEYS[i]: the counter of policy i: a list of instants (sliding) or a number (day).
-- ARGV[1]: now in milliseconds, or -1 for the server's own clock.
-- then per policy: kind ('s' or 'd'), quota, span in ms (sliding), cost, known (day).
-- Answer: allowed (1/0), the instant charged under, then per policy: used, ms until more is left.
local now = tonumber(ARGV[1])
if now < 0 then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

local policies, allowed, at = {}, true, now
for i, key in ipairs(KEYS) do
  local base = 2 + (i - 1) * 5
  local policy = {
    key = key, sliding = ARGV[base] == 's', quota = tonumber(ARGV[base + 1]),
    span = tonumber(ARGV[base + 2]), cost = tonumber(ARGV[base + 3]),
  }
  if policy.sliding then
    local newest = tonumber(redis.call('LINDEX', key, -1))
    if newest and newest > now + 1000 then
      redis.call('DEL', key)
      newest = nil
    end
    if newest and newest > at then at = newest end
    local oldest = tonumber(redis.call('LINDEX', key, 0))
    while oldest and oldest + policy.span <= now do
      redis.call('LPOP', key)
      oldest = tonumber(redis.call('LINDEX', key, 0))
    end
    policy.used = redis.call('LLEN', key)
  else
    redis.call('SET', key, ARGV[base + 4], 'NX', 'EX', 172800)
    policy.used = tonumber(redis.call('GET', key))
  end
  policy.fits = policy.cost == 0 or policy.used + policy.cost <= policy.quota
  allowed = allowed and policy.fits
  policies[i] = policy
end

local answer = { allowed and 1 or 0, at }
for _, policy in ipairs(policies) do
  local wait = 0
  if allowed and policy.cost > 0 then
    policy.used = policy.used + policy.cost
    if policy.sliding then
      for _ = 1, policy.cost do redis.call('RPUSH', policy.key, at) end
      redis.call('PEXPIRE', policy.key, policy.span + 60000)
    else
      redis.call('INCRBY', policy.key, policy.cost)
    end
  end
  if policy.sliding then
    local place = 0
    if not allowed and not policy.fits then
      place = policy.used + policy.cost - policy.quota - 1
      if place > policy.used - 1 then place = policy.used - 1 end
    end
    local until_free = tonumber(redis.call('LINDEX', policy.key, place))
    if until_free then
      wait = until_free + policy.span - now
    elseif not policy.fits then
      wait = policy.span
    end
  end
  answer[#answer + 1] = policy.used
  answer[#answer + 1] = wait
end
return answer
