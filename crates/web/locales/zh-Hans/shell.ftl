# Shell of every page: navigation, footer, times, forms, and messages.

skip = 跳到正文
nav-main = 主导航
nav-today = 今日
nav-feeds = 订阅
nav-library = 文库
nav-monitors = 监测
nav-settings = 设置
nav-read = 阅读
nav-api = API
nav-about = 关于
nav-account = 账户
nav-sign-in = 登录
nav-stored-texts = 已存文本
find = 搜索
find-everything = 全部内容
find-feeds-and-library = 搜索订阅和文库
signed-in-as = 当前账户：
foot-texts = 阅读页面上的文本归其作者所有。Carrel 显示文本时附有来源链接。
foot-documents = 文档
foot-read = 阅读网页
foot-handbook = 手册
foot-reader-api = 阅读 API
foot-developer-api = 开发者 API
foot-agents = 智能体
foot-problems = 错误
foot-reading-settings = 阅读设置
foot-llms = llms.txt
description = Carrel 将网页显示为清爽的文本，关注订阅源，保存文库，并监测网页变化，供人和 AI 助手使用。
error-title = 错误：{ $title }
form-problems =
    { $count ->
       *[other] 有 { $count } 个问题
    }
field-email = 电子邮箱
field-password = 密码
field-new-password = 新密码
field-current-password = 当前密码
password-hint = 至少 10 个字符。几个词的组合比一个生僻词更好。
undo = 撤销
sample-notice = 此账户含有供浏览的示例数据。看够后请将其移除。
sample-remove = 移除此示例账户
language = 语言
language-hint = 页面的语言。部分页面只有英文。
language-of-browser = 与浏览器相同
language-save = 保存语言
language-saved = 语言已保存。
time-now = 刚刚
time-in-seconds =
    { $count ->
       *[other] { $count } 秒后
    }
time-in-minutes =
    { $count ->
       *[other] { $count } 分钟后
    }
time-in-hours =
    { $count ->
       *[other] { $count } 小时后
    }
time-in-days =
    { $count ->
       *[other] { $count } 天后
    }
time-seconds-ago =
    { $count ->
       *[other] { $count } 秒前
    }
time-minutes-ago =
    { $count ->
       *[other] { $count } 分钟前
    }
time-hours-ago =
    { $count ->
       *[other] { $count } 小时前
    }
time-days-ago =
    { $count ->
       *[other] { $count } 天前
    }
manifest-description = 订阅、文库、监测，以及任意页面的纯净文本。
search-description = 搜索您的订阅和文库，或通过地址打开页面。
