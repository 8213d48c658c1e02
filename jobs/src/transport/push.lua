-- Puts ids into one queue, each once, in the order of their scores, never more than the limit.
-- KEYS[1] the queue; ARGV[1] limit, ARGV[2] channel to ring, ARGV[3] kind, then score and id in turn.
-- Returns the ids that found no room: newcomers, or later ones that had to leave for them.
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
