# Plan and usage.

plan-first = Your account is the first on this installation, so it has the largest plan: pro.
plan-begin = Get started
plan-yours = Your plan is { $plan }. These numbers are also in { $path } and in the headers of every response.
plan-requests = Requests
plan-quotas = Quotas
plan-plans = Plans
plan-differ = Plans differ only in these limits. The operator of this service can change your plan with { $command }.
plan-operations-last-minute = Operations in the last minute
plan-operations-today = Operations today
plan-fresh-last-minute = Fresh extractions in the last minute
plan-fresh-today = Fresh extractions today
plan-resets = resets { $time }
plan-until-deleted = delete some to free up space
plan-feeds = Feeds
plan-collections = Feed collections
plan-consumers = Feed consumers
plan-credits-this-month = Monitor credits this month
plan-credits-reset = resets { $time }
plan-clock = A monitor runs at most { $often }. Days and months are in UTC, where it is now { $now }.
plan-limit = Limit
plan-own = (your plan)
plan-monitor-interval = Maximum monitor frequency
plan-credits-per-month = Monitor credits per month
plan-operations-per-minute = Operations per minute
plan-operations-per-day = Operations per day
plan-fresh-per-minute = Fresh extractions per minute
plan-fresh-per-day = Fresh extractions per day
plan-used = { $count } of { $most }
plan-daily = once a day
plan-hourly = once an hour
plan-every =
    { $count ->
        [one] every { $count } minute
       *[other] every { $count } minutes
    }
plan-own-quotas = The operator of this service set these limits for your account. They replace those of your plan:
plan-in-plan = plan limit { $limit }
plan-storage-used = { $used } MiB of { $most }
