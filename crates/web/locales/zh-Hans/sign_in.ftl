# Sign-in and sign-up.

sign-in = 登录
sign-in-passkey = 使用通行密钥登录
oidc-sign-in = 使用 { $name } 登录
sign-in-forgot = 忘记密码？
sign-in-new = 还没有账户？<1>创建一个</1>。
sign-in-for-app = 一个应用请求访问您的账户。请登录或创建账户以查看该请求。未经您批准，不会允许任何操作。
sign-up = 注册
sign-up-heading = 创建账户
sign-up-button = 创建账户
sign-up-closed = 注册已关闭。请向本服务的运营者申请账户。
sign-up-purpose = 关注网站，将网页保存到文库，并在网页变化时收到消息。只需一个电子邮箱和一个密码。
sign-up-invitation = 邀请码
sign-up-invitation-hint = 您收到的代码，只能使用一次。
sign-up-known = 已有账户？<1>登录</1>。
purpose-today = 登录后查看今日
purpose-today-words = “今日”是您的起始页：订阅源的新条目、所监测网页的变化，以及最近保存的内容。
purpose-feeds = 登录后查看订阅
purpose-feeds-words = 关注博客、新闻网站和播客：它们的新条目汇集到一个列表，在这里和您的订阅应用中都能看到。您可以从其他阅读器导入订阅源。
purpose-library = 登录后打开文库
purpose-library-words = 文库保存网页和文件的全文、您的标注和笔记。您可以搜索每个词，在电子阅读器上离线阅读，并随时导出全部内容。
purpose-monitors = 登录后查看监测
purpose-monitors-words = 监测会定期检查网页，并报告每个真正的变化：降价、补货、新段落。消息通过邮件、聊天或任何订阅阅读器送达。
purpose-search = 登录后搜索
purpose-search-words = 搜索范围包括您的文库、标注和笔记，以及订阅源的条目。
