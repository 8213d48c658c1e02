# Form of a new monitor, and its preview.

monitor-new = 新建监测
monitor-new-words = Carrel 会定期检查网页，并在您关心的部分变化时通知您。
monitor-full = 您的套餐不允许更多监测。
monitor-full-used = 已用 { $used } / { $limit }。
monitor-full-words = 请删除不再需要的监测，或编辑一个来监测其他内容。
monitor-full-list = 前往您的监测
monitor-full-plan = 套餐和用量
monitor-examples = 试试示例
monitor-example-change = 网页的任何变化
monitor-example-word = 出现某个词
monitor-example-list = 列表中的新项目
monitor-preview = 预览
monitor-preview-again = 重新预览
monitor-preview-empty = 点按“预览”查看此监测将关注的内容。不消耗点数。
monitor-start = 开始监测
monitor-cancel = 取消
step-1 = 1. 监测什么
step-2 = 2. 何时
step-3 = 3. 如何通知您
monitor-address = 网页地址
monitor-address-hint = 要监测的公开网页、站点地图或 JSON 文档。
monitor-type = 类型
target-page = 网页
target-page-words = 其文本或一部分；每次 1 点
target-sitemap = 站点地图
target-sitemap-words = 新增和移除的地址；每次 2 点
target-product = 商品
target-product-words = 名称、价格和库存；每次 3 点
target-calendar = 日历
target-calendar-words = iCalendar 文件中的日程；每次 2 点
target-file = 文件
target-file-words = 任何格式，按大小和哈希；每次 1 点
target-image = 图片
target-image-words = 按外观，例如网络摄像头；每次 2 点
target-headers = 标头
target-headers-words = 响应的状态和标头；每次 1 点
target-extract = 值
target-extract-words = 例如价格，按选择器；每次 3 点
monitor-part = 仅网页的一部分
monitor-selector = 选择器
monitor-selector-hint = CSS，例如 #price 或 li:contains("Tickets")；XPath，例如 //table[2]//tr；JSONPath，例如 $.version；或 jq，例如 jq:.items[] | select(.free) | .name。对于网页，JSONPath 和 jq 读取其脚本中的数据：$['ld+json'][0].offers.price 或 $.__NEXT_DATA__.props。若有多个，每行一个，出现或消失时也会通知。监测外观时：一个 CSS 选择器。
monitor-filters = 过滤器
monitor-filters-hint = 每行一个，依次应用于网页的各行：带正则表达式的 keep 或 drop，例如 drop ^Advert；replace，例如 replace \d+ views => views；sort；unique。预览会显示每个过滤器之后的行。
monitor-sitemap = 站点地图过滤器
monitor-include = 包含的地址
monitor-include-hint = 每行一个模式，例如 /blog/*。
monitor-exclude = 排除的地址
monitor-exclude-hint = 每行一个模式。
monitor-values = 值
monitor-values-hint = 每行一个，例如 price = .price。名称后的星号表示用于识别项目的键。若一个值含多个数字，可在括号中用 first、last、least 或 greatest 选择，例如 price (least) = .price。对于标头，请列出要读取的，例如 etag = ETag。
monitor-items = 重复元素
monitor-items-hint = 重复元素的 CSS 选择器或 XPath，例如 .product。留空则将网页视为一个项目。
monitor-empty = 列表可以为空，例如可预约时段列表。
monitor-empty-words = 否则，空列表连续两次才算数。
monitor-headers = 标头
monitor-headers-hint = 每行一个，例如 etag = ETag。留空则监测除总是不同者以外的所有标头。
monitor-interval = 检查频率
monitor-not-in-plan = （您的套餐不含）
every-minutes =
    { $count ->
        [1] 每分钟
       *[other] 每 { $count } 分钟
    }
every-hours =
    { $count ->
        [1] 每小时
       *[other] 每 { $count } 小时
    }
every-days =
    { $count ->
        [1] 每天
       *[other] 每 { $count } 天
    }
every-week = 每周
monitor-trigger = 通知条件
trigger-any = 任何变化
trigger-text-appears = 出现文本
trigger-text-disappears = 文本消失
trigger-above = 数字高于
trigger-below = 数字低于
trigger-share = 变化至少达到此百分比
trigger-added = 有内容新增
trigger-removed = 有内容移除
trigger-condition = 满足下方条件
monitor-value = 文本或数字
monitor-value-hint = “任何变化”无需填写。
monitor-one-value = 仅其中一个值
monitor-value-name = 值的名称
monitor-value-name-hint = “值”中的名称；商品：name、price、currency 或 availability；日程：title、start、end、location、status 或 repeats；文件：size 或 sha256；标头：status 或某个标头。留空表示任何值。
monitor-conditions = 条件
monitor-conditions-hint = 每行一个，须全部满足。只有 or 的一行开始另一组条件。有值时以名称开头，例如 price falls by 10%、price new low in 30 days、price between 5 and 9 或 not stock contains sold out。无值时：contains tickets、matches v\d+、count above 3、length below 200 或 similarity below 80。
monitor-repeat = 持续满足时再次通知
monitor-repeat-after = 再次通知间隔
monitor-repeat-hint = 小时数，例如 24。留空则仅在开始满足时通知一次。
monitor-ignore = 忽略部分变化
monitor-ignore-label = 忽略包含以下内容的变化
monitor-ignore-hint = 每行一段文本。包含它的段落会被忽略。
schedule-days = 日期和时间
schedule-only-on = 仅在
day-monday = 星期一
day-tuesday = 星期二
day-wednesday = 星期三
day-thursday = 星期四
day-friday = 星期五
day-saturday = 星期六
day-sunday = 星期日
schedule-week = 每月的哪几个
schedule-week-all = 全部
week-first = 第一个
week-second = 第二个
week-third = 第三个
week-fourth = 第四个
week-last = 最后一个
schedule-times = 在这些时间
schedule-times-hint = 用逗号分隔，例如 08:30, 17:00。将取代间隔。
schedule-from = 开始时间
schedule-from-hint = 例如 08:00。监测在此时段内按间隔运行。
schedule-to = 结束时间
schedule-to-hint = 例如 18:00。
schedule-zone = 时区
schedule-zone-hint = 例如 Europe/Berlin。留空为 UTC。
schedule-jitter = 随机延迟（分钟）
schedule-jitter-hint = 最多 120。留空则不到一分钟。
schedule-not-before = 不早于
schedule-not-before-hint = 日期，例如 2026-12-24，或时间，例如 2026-12-24T08:00:00Z。
schedule-muted = 静音时段和失败
schedule-mute-from = 静音开始
schedule-mute-from-hint = 例如 22:00，采用“日期和时间”的时区。检查照常进行，消息等到结束后发送。
schedule-mute-to-hint = 例如 07:00。
schedule-failures = 连续失败多少次后通知我
schedule-failures-hint = 留空则仅在监测停止时通知。
monitor-follow = 同时在我的订阅中显示变化
monitor-notify = 通知方式
monitor-no-channels = 您还没有通知渠道。<1>添加一个</1>，即可通过邮件、webhook 或聊天收到通知。
monitor-group = 分组
monitor-group-none = 无
monitor-override = 覆盖分组设置
monitor-override-hint = 除在此选中的以外，分组设置会取代此表单中的设置。
setting-interval = 间隔
setting-channels = 渠道
monitor-tags-hint = 可选。用逗号分隔的标签，例如 家居, 价格。最多 { $count } 个。
monitor-name = 名称
monitor-name-hint = 预览会建议使用网页标题，您可以更改。
monitor-name-limit = 最多 { $count } 个字符。
request = 请求和登录
request-agent = 用户代理
request-agent-hint = 留空则使用 Carrel 自己的。
request-proxy = 代理
request-proxy-removed = { $name }（已不提供）
request-headers-hint = 每行一个，例如 Accept-Language: de。机密信息请填在下方。
request-post = 发送带此正文的请求
request-method = 方法
request-body = 正文
request-body-hint = 每次运行都会发送，因此其效果会重复。
request-media = 正文的媒体类型
request-media-hint = 留空则为表单数据。
request-cookies = 在各次检查之间保留网站的 Cookie
request-any-status = 错误状态（例如 404）也算内容。
request-any-status-words = 否则该次检查失败。
request-credentials = 凭据
credentials-keep = 保留已存凭据
credentials-none = 无
credentials-basic = 用户名和密码
credentials-bearer = Bearer 令牌
credentials-header = 其他标头，例如 API 密钥或 Cookie
request-user = 用户名或标头名称
request-user-hint = Bearer 令牌无需填写。
request-secret = 密码、令牌或值
request-secret-hint = 仅发送给此网站，且从不显示。
preview-heading = 将监测的内容
preview-of-page = 刚刚在“{ $title }”上找到：{ $amount }。未消耗点数。
preview-of-address = 刚刚找到：{ $amount }。未消耗点数。
preview-lines =
    { $count ->
       *[other] { $count } 行文本
    }
preview-addresses =
    { $count ->
       *[other] { $count } 个地址
    }
preview-items =
    { $count ->
       *[other] { $count } 个项目
    }
preview-nothing = 无
preview-number = 用于比较的数字：{ $number }
preview-number-of = { $item } 用于比较的数字：{ $number }
preview-met = 条件已满足。首次检查不会通知。条件不再满足、之后又重新满足时才会通知。
preview-met-repeat = 条件已满足。首次检查不会通知。如果条件持续满足，将在“{ $field }”中的小时数之后通知。
preview-not-met = 条件目前不满足。
preview-filter =
    { $count ->
       *[other] 过滤器 { $number } 之后：{ $count } 行
    }
preview-only-first = 仅显示前 { $count } 项。
preview-or-only = 或仅监测
preset-address = 更好的地址
preset-product = 此商品：任何变化
preset-product-price = 此商品：降价
preset-in-stock = 补货
preset-price-falls = 降价
preset-price-changes = 价格变化
preset-stock = 有货或售罄
preset-list = 此列表的新项目
preset-part = 此文本变化
unwatched-margin = 未监测：在正文之外；选择器或等待的文本可将其包含
unwatched-clock = 未监测：看似网页的时钟或日期
unwatched-part = 其中的时间和计数不监测
unwatched-ignored = 已按您的规则忽略
unwatched-learned = 未监测：每次检查都会变化
target-visual = 外观
target-visual-words = 浏览器中的网页，或一个元素；每次 3 点
rendering = 脚本
rendering-open = 在浏览器中打开网页并运行其脚本。
rendering-open-words = 每次 3 点。适用于网页、商品和值，不能设置请求正文和代理。
rendering-wait = 等待
rendering-wait-hint = 缺少它网页就不完整的元素的 CSS 选择器。
rendering-steps = 步骤
rendering-steps-hint = 每行一个，在读取网页之前执行：click .more、type #search => boats、press Enter、select #sort => 价格、scroll_end、wait 2（秒）或 wait_text 有货。手册列出了全部步骤。加上问号（click? .close）后，如果缺少元素就跳过该步骤。密码或其他机密请写 secret #password，下方会出现相应的输入框。其他文本按原样保存。
rendering-cookie-notices = 关闭 Cookie 提示
rendering-cookie-notices-words = 拒绝提示，否则将其隐藏，绝不接受。
pick-button = 在网页图片上选择
pick-hint = 浏览器会打开网页并显示其各个部分。与每次浏览器预览一样，计为五次新提取。
pick-no-browser = 要在网页图片上选择部分，此服务需要浏览器，但目前没有。预览也会推荐可选的部分。
pick-heading = 选择网页的一部分
pick-words = 在图片上或列表中选择要监测的部分。之后每次都会在浏览器中打开网页：每次 3 点。
pick-cut = 未提供全部部分：网页过长、部分过多，或未完全加载。
pick-empty = 网页中没有可监测文本的部分。
pick-another = 选择其他部分
pick-alt = 网页图片
pick-parts = 网页的各个部分
pick-chosen = 已选部分
pick-more = 按其他部分可将其添加，按已选部分可将其移除。
pick-steps-button = 在图片上选择步骤
pick-purpose = 您要选择什么？
pick-purpose-part = 要监测的部分
pick-purpose-step = 读取网页之前的步骤
pick-steps-heading = 在网页上选择步骤
pick-step-words = 在图片上或列表中按一个元素，然后选择对它的操作。每一步之后，新图片会显示网页；每张图片计为五次新提取。
pick-steps = 目前的步骤
pick-step-remove = 移除第 { $number } 步
pick-step-on = 对“{ $name }”的步骤
pick-step-click = 点击
pick-step-type = 填写
pick-step-wait = 等待其出现
pick-step-scroll = 滚动到此处
pick-step-select = 选择选项
pick-step-check = 勾选
pick-step-uncheck = 取消勾选
pick-step-press = 在其中按键
pick-step-hover = 将指针移到其上
pick-step-wait-text = 等待其中的文本
pick-step-wait-gone = 等待其消失
pick-step-scroll-end = 滚动到其列表末尾
pick-step-remove-element = 从网页中移除
pick-step-key = 按键
pick-step-optional = 如果缺少元素则跳过此步骤
pick-step-text = 步骤的文本
pick-step-text-hint = 用于“填写”“选择选项”和“等待文本”。最多 { $count } 个字符。
pick-step-add = 添加步骤并显示网页
pick-kind-button = （按钮）
pick-kind-field = （输入框）
pick-step-secret = 填写机密
step-secret = { $selector } 的机密
step-secret-new = 要填写的机密
step-secret-hint = 加密保存，仅在此网站输入，且从不显示。
step-secret-set = 已设置。留空则保留。
monitor-explanation = 语言模型
monitor-explanation-words = 如果您已开启<1>语言模型</1>，它会收到每次变化的差异，并用一句话说明变化内容。消息最多等待它 10 分钟。
monitor-explanation-explain = 解释每次变化
monitor-explanation-wish = 您关心的变化
monitor-explanation-wish-hint = 例如：仅降价。最多 { $count } 个字符。留空表示全部关心。
monitor-explanation-only = 不发送无关变化的消息。它们保留在历史记录和订阅源中。
