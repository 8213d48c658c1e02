# Reading settings.

look-saved = 设置已保存在此浏览器中。
look-saved-account = 设置已保存，适用于您的所有浏览器。
look-offline-off = 离线阅读已关闭。此浏览器中的文本已删除。
look-words = 您已登录的所有浏览器中页面和文本的外观与行为。更改会立即显示；保存后应用于所有页面。
look-only-here = 仅限此浏览器
look-only-here-words = 您的其他浏览器保持不变。
look-save = 保存设置
look-sample = 港口比城镇醒得早。四点出海的船一艘接一艘归来，海鸥认得每一艘。
look-ways = 随处保存和搜索
look-bookmark = 将此链接拖到书签栏。它会保存您正在查看的页面：{ $link }
look-bookmark-link = 保存到 Carrel
look-install = 从浏览器菜单将 Carrel 安装为应用。在手机上，其他应用便可向它分享页面。
look-keys = 您的订阅和文库有与其他阅读器类似的按键。在那里按 { $key } 即可查看。
look-search-engine = 您也可以从浏览器搜索：将 Carrel 添加为搜索引擎，地址为 { $address }。
appearance-words = 此浏览器中文章的外观。更改会立即显示；保存后将应用于每个页面。
appearance-offline = 有了账户，浏览器还可以<1>保存文章以便离线阅读</1>。
appearance-refused = 设置未保存，因为它们来自其他网站。请重新选择。
appearance-unread = 无法读取设置。请重新选择。
appearance-face-wrong = 设置未保存。请输入字体名称：1 到 60 个字母 A–Z、数字、空格和连字符。
