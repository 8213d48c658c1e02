# Form that saves a page.

save-heading = 保存网页
save-words = 将获取其文本并保存到文库，您可以以后阅读、标注和查找。
save-no-address = 您分享的内容不含地址。请输入网页地址。
save-title = 标题
save-title-hint = 可选。不填则使用网页标题。
save-tags-hint = 可选，用逗号分隔。
save-library = 前往文库
save-to = 保存到
save-render = 先在浏览器中打开
save-render-auto = 网页需要脚本时
save-render-always = 始终
save-render-without-cookie-notices = 始终，不含 Cookie 提示
save-render-never = 从不
save-render-hint = 适用于脚本运行后才显示文本的网页。消耗五次新提取，而不是一次。

# Form that uploads files.

upload-heading = 上传文件
upload-files = 文件
upload-hint = PDF、电子书、办公文档、文本、网页、邮件和图片。启用脚本时，也可以将文件拖放到此页面。
upload-send = 上传
upload-saved = 已保存
upload-sending = 正在上传：
upload-none = 请至少选择一个文件。
upload-refused-size = 未保存：文件超过 { $size }，即您套餐的上限。
upload-refused-storage = 未保存：存储空间已满。<1>查看用量</1>。
upload-refused-type = 未保存：内容与文件名所示的类型不符。
upload-refused = 未保存：{ $reason }
upload-failed = 未保存。请检查连接，重新加载页面后再试。
