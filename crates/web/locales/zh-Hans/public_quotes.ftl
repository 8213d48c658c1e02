# Public links of quotes.

public-quote-published = 引文已公开。请分享其链接。
public-quote-private = 引文已恢复私有。旧链接不再有效。
public-quote = 公开链接
public-quote-unavailable = 此引文不能有公开链接：其正文不是从公开地址抓取的，或其中没有该引文。它可能来自需要登录的页面。
public-quote-words = 任何持有链接的人无需账户即可阅读引文以及其网页的标题和地址。
public-quote-note = 包含我的笔记
public-quote-create = 创建链接
public-quote-link = 引文的链接
public-quote-open = <1>打开页面</1>。
public-quote-paused = 页面目前不可用：正文不是从公开地址抓取的，或其中已没有该引文。
public-quote-hide = 设为私有
public-quote-hide-named = 将“{ $quote }”设为私有
public-quote-all = 全部公开标签和引文
public-quotes-yours = 您的公开引文
public-quotes-words = 任何持有链接的人都可以阅读引文以及其网页的标题和地址。
public-quote-not-found = 链接有误，或其所有者已停止分享此引文。
public-quote-note-heading = 笔记
