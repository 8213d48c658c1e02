# Mails about an account.

reset-subject = 为 Carrel 设置新密码
reset-body =
    有人为 { $origin } 上的账户 { $email } 请求了新密码。

    如果是您本人，请在一小时内打开此链接。设置密码之前，链接一直有效。

    { $link }

    如果不是您本人，请忽略此邮件。只要不使用此链接，就不会有任何改变。
grant-made-subject = 一个应用已连接到您的 Carrel 账户
grant-made-event = 一个应用已获准使用您在 { $origin } 的账户。
grant-made-advice =
    如果是您本人操作，则无需处理。如果不是，请撤销其访问权限并设置新密码：

    { $link }
grant-reused-subject = 一个应用对您的 Carrel 账户的访问权限已被撤销
grant-reused-event = 此应用的令牌被第二次使用，令牌被复制时会发生这种情况。该应用的访问权限及其所有令牌已立即撤销。
grant-reused-advice =
    如果您仍在使用该应用，请重新连接。您的应用和密钥的最近活动：

    { $link }
grant-name = 应用自称的名称：“{ $name }”（未验证）
grant-host = 返回到：{ $host }
grant-reads = 权限：读取
grant-changes = 权限：读取和更改
grant-time = 允许时间：{ $time }
email-request = 有人在 { $origin } 拥有账户，并希望将此电子邮箱用于该账户。
email-taken-subject = 此电子邮箱已有账户
email-taken-advice = 此邮箱在那里已有账户，因此没有任何更改。如果是您本人，请使用此邮箱登录，或先删除那个账户。如果不是您本人，请忽略此邮件。
email-confirm-subject = 确认您用于 Carrel 的新电子邮箱
email-confirm-advice =
    如果是您本人，请在一天内打开此链接并按下按钮：

    { $link }

    如果不是您本人，请忽略此邮件。只要不使用此链接，就不会有任何改变。
email-changed-subject = 您的 Carrel 账户的电子邮箱已更改
email-changed-body =
    您在 { $origin } 的账户的电子邮箱已从 { $before } 更改为 { $after }。

    如果是您本人操作，请在订阅应用和电子阅读器中更换旧地址。Fever 应用需要新的 API 密钥。

    如果不是您本人，请在 7 天内打开此链接。它会恢复此邮箱并设置新密码：

    { $link }
team-subject = 邀请您加入 Carrel 团队
team-body =
    { $origin } 上账户 { $owner } 的所有者邀请您加入一个团队，并与团队共享已保存的网页。

    要加入，请在 7 天内打开此链接。您需要在那里拥有账户：

    { $link }

    如果您不认识发件人，请忽略此邮件。
