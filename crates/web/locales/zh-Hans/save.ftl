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
save-render-never = 从不
save-render-hint = 适用于脚本运行后才显示文本的网页。消耗五次新提取，而不是一次。
