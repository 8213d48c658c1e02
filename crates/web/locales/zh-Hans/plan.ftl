# Plan and usage.

plan-first = 您的账户是此服务的第一个账户，因此拥有最大的套餐：pro。
plan-begin = 开始使用
plan-yours = 您的套餐是 { $plan }。这些数字也在 { $path } 和每个响应的标头中。
plan-requests = 请求
plan-quotas = 配额
plan-plans = 套餐
plan-differ = 套餐仅在这些限制上不同。此服务的运营者可用 { $command } 更改您的套餐。
plan-operations-last-minute = 最近一分钟的操作
plan-operations-today = 今日的操作
plan-fresh-last-minute = 最近一分钟的全新提取
plan-fresh-today = 今日的全新提取
plan-resets = { $time }增加
plan-until-deleted = 直到您删除一些
plan-feeds = 订阅源
plan-collections = 订阅合集
plan-consumers = 订阅消费者
plan-credits-this-month = 本月监测点数
plan-credits-reset = { $time }重置
plan-clock = 监测最多{ $often }运行一次。日和月按 UTC 计算，现在是 { $now }。
plan-limit = 限制
plan-own = （您的）
plan-monitor-interval = 监测的最短间隔
plan-credits-per-month = 每月监测点数
plan-operations-per-minute = 每分钟操作
plan-operations-per-day = 每天操作
plan-fresh-per-minute = 每分钟全新提取
plan-fresh-per-day = 每天全新提取
plan-used = { $count } / { $most }
plan-daily = 每天
plan-hourly = 每小时
plan-every =
    { $count ->
       *[other] 每 { $count } 分钟
    }
plan-own-quotas = 此服务的运营者为您的账户设置了以下限制，取代套餐的限制：
plan-in-plan = 套餐中为 { $limit }
plan-storage-used = { $used } MiB / { $most }
