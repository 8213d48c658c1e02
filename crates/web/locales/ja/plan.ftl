# Plan and usage.

plan-first = この環境の最初のアカウントなので、最大のプラン pro です。
plan-begin = 始める
plan-yours = プランは { $plan } です。これらの数値は { $path } と各応答のヘッダーにもあります。
plan-requests = リクエスト
plan-quotas = 割り当て
plan-plans = プラン
plan-differ = プランの違いはこれらの上限だけです。運営者は { $command } であなたのプランを変更できます。
plan-operations-last-minute = 直近 1 分の操作
plan-operations-today = 今日の操作
plan-fresh-last-minute = 直近 1 分の新規抽出
plan-fresh-today = 今日の新規抽出
plan-resets = { $time }に増えます
plan-until-deleted = 削除するまで
plan-feeds = フィード
plan-collections = フィードのコレクション
plan-consumers = フィードの利用先
plan-credits-this-month = 今月のモニタークレジット
plan-credits-reset = リセット: { $time }
plan-clock = モニターの実行は最短で{ $often }です。日と月は UTC で数えます。現在の UTC は { $now } です。
plan-limit = 上限
plan-own = （あなた）
plan-monitor-interval = モニターの最短間隔
plan-credits-per-month = 1 か月のモニタークレジット
plan-operations-per-minute = 1 分の操作
plan-operations-per-day = 1 日の操作
plan-fresh-per-minute = 1 分の新規抽出
plan-fresh-per-day = 1 日の新規抽出
plan-used = { $most } 中 { $count }
plan-daily = 1 日 1 回
plan-hourly = 1 時間に 1 回
plan-every =
    { $count ->
       *[other] { $count } 分ごと
    }
plan-own-quotas = 運営者は、このアカウントにプランの上限の代わりに次の上限を設定しました:
plan-in-plan = プランでは { $limit }
plan-storage-used = { $most } 中 { $used } MiB
