# Offline reading: its settings, the list of stored texts, and stored pages.

offline-heading = 离线阅读
offline-words = 此浏览器可以存储文章：您标记为稍后阅读或已开始阅读的项目，以及未读条目。没有网络时可在此阅读。
offline-own-browser = 请仅在您自己的浏览器中选择此项。您在无网络时标为已读、加星标、归档或标注的内容会在之后发送。退出登录会删除文章和未发送的内容，并关闭离线阅读。离线阅读需要脚本。
offline-save-amount = 保存数量
offline-switch-on = 在此浏览器中存储
offline-stored = 已存储的文章
offline-switch-off = 删除并关闭
offline-amount = 数量
offline-size = 最多 { $texts } 篇，含图片不超过 { $size } MB
offline-all-pictures = 文章的所有图片，而不仅是您看过的
offline-storing = 正在存储文章。
offline-list-words = 您可以在无网络时阅读这些文章。此时标为已读、加星标、归档或标注的内容会在有网络时发送。其他更改需要网络。
offline-queue = 尚未发送的更改
offline-nothing = 尚无可存储的内容：没有稍后阅读或已开始的项目，也没有未读条目。
offline-settings = 离线阅读的设置
offline-off = 离线阅读已关闭
offline-off-words = 此浏览器未存储文章。<1>开启</1>后即可离线阅读。
offline-refused = 您已离线
offline-refused-words = 未作任何更改。请返回，并在有网络时重试。
offline-text-words = 您已离线。这是已存储的文章。您的标记、星标和标注会在有网络时发送。
