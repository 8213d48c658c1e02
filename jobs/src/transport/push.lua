-- Inserts ids into one queue in the order of their scores, each id once, up to the depth limit.
-- KEYS[1] is the queue. ARGV[1] is the limit, ARGV[2] the channel of notifications, and ARGV[3] the kind.
-- The remaining arguments are alternating scores and ids. Returns the ids for which there was no capacity:
-- ids of this call, or less urgent ids that were evicted.
local limit = tonumber(ARGV[1])
local depth = redis.call('ZCARD', KEYS[1])
local refused = {}
local added = false
for i = 4, #ARGV, 2 do
  local score, id = ARGV[i], ARGV[i + 1]
  if redis.call('ZSCORE', KEYS[1], id) then
    redis.call('ZADD', KEYS[1], 'LT', score, id)
  elseif depth < limit then
    redis.call('ZADD', KEYS[1], score, id)
    depth = depth + 1
    added = true
  else
    local last = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')
    if last[1] and tonumber(last[2]) > tonumber(score) then
      redis.call('ZREM', KEYS[1], last[1])
      redis.call('ZADD', KEYS[1], score, id)
      refused[#refused + 1] = last[1]
      added = true
    else
      refused[#refused + 1] = id
    end
  end
end
if added then
  redis.call('PUBLISH', ARGV[2], ARGV[3])
end
return refused
