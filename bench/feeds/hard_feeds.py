#!/usr/bin/env python3
"""Writes difficult feeds into a folder, and compares the output of `carrel feed --jsonl` with that of PyPI feedparser.

    python3 hard_feeds.py write DIR
    python3 hard_feeds.py agree DIR -- PATH/carrel feed --jsonl
    python3 hard_feeds.py big FILE          one ordinary feed of about 180 KB, for speed

All feeds are invented. Agreement is per feed: the feed's title and link, the number of entries, and of each
entry its id, title, link, author, dates, summary and content, compared as text without markup and white space.
A field that feedparser leaves empty is not compared.
"""
import calendar, html, json, os, re, subprocess, sys

FEEDS = {}
# Feeds that the reference parses incorrectly, with the reason. They count as disagreements.
MISREAD = {
    "rss_title_5": "AT&T becomes AT&T;", "atom_text_5": "AT&T becomes AT&T;", "rss_desc_10": "drops an entry",
    "mismatched": "drops an entry", "missing_close_title": "drops an entry",
    "date_rss_10": "drops the time of day", "date_atom_10": "drops the time of day",
    "date_rss_25": "takes 1 October for 1 November", "date_atom_25": "takes 1 October for 1 November",
    "atom_image_content": "shows a picture's base64 as text", "atom_no_link": "takes a URN for a link",
    "atom03_base64": "takes a tag URI for a link",
}


def feed(name, body, encoding="utf-8", headers=None, base="http://example.org/news/feed.xml"):
    data = body if isinstance(body, bytes) else body.encode(encoding)
    FEEDS[name] = (data, headers or {}, base)


def rss(items, version='version="2.0"', ns="", head="", prolog='<?xml version="1.0"?>\n'):
    return (f'{prolog}<rss {version} {ns}><channel><title>Harbour notes</title><link>http://example.org/</link>'
            f'<description>About boats</description>{head}{items}</channel></rss>')


def item(n=1, extra="", title=None, link=True, guid=True, date=True, desc="Text of the note."):
    parts = [f"<title>{title or f'Note {n}'}</title>"]
    if link: parts.append(f"<link>http://example.org/notes/{n}</link>")
    if guid: parts.append(f'<guid isPermaLink="false">note-{n}</guid>')
    if date: parts.append(f"<pubDate>Tue, 0{n} Oct 2024 10:0{n}:00 GMT</pubDate>")
    if desc: parts.append(f"<description>{desc}</description>")
    return f"<item>{''.join(parts)}{extra}</item>"


def atom(entries, ns='xmlns="http://www.w3.org/2005/Atom"', head="", attrs="", prolog='<?xml version="1.0"?>\n'):
    return (f'{prolog}<feed {ns} {attrs}><title>Harbour notes</title><id>urn:harbour</id>'
            f'<link href="http://example.org/"/><updated>2024-10-03T10:00:00Z</updated>{head}{entries}</feed>')


def entry(n=1, extra="", title=None, link=None, date=True, summary=None):
    parts = [title or f"<title>Note {n}</title>", f"<id>urn:note:{n}</id>"]
    parts.append(link if link is not None else f'<link href="http://example.org/notes/{n}"/>')
    if date: parts.append(f"<published>2024-10-0{n}T08:00:00Z</published><updated>2024-10-0{n}T09:00:00Z</updated>")
    parts.append(summary if summary is not None else f"<summary>Summary {n}</summary>")
    return f"<entry>{''.join(parts)}{extra}</entry>"


def make():
    two = item(1) + item(2)
    DC = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'
    CONTENT = 'xmlns:content="http://purl.org/rss/1.0/modules/content/"'
    # Versions of RSS.
    for v in ['version="2.0"', 'version="0.91"', 'version="0.92"', 'version="0.93"', 'version="0.94"', 'version="2.0.1"',
              'version="2.1"', 'version=""', '', "version='2.0'", 'version="2"', 'VERSION="2.0"', 'version="RSS 2.0"']:
        feed(f"rss_{v or 'none'}", rss(two, v))
    # Namespaces on the root of RSS.
    for ns in ["http://backend.userland.com/rss2", "http://blogs.law.harvard.edu/tech/rss", "http://purl.org/rss/1.0/",
               "http://backend.userland.com/RSS", "http://backend.userland.com/rss191"]:
        feed(f"rss_ns_{ns}", rss(two, ns=f'xmlns="{ns}"'))
    # Prefixes: undeclared, unusual, wrong case of the address.
    for pre, uri in [("dc", "http://purl.org/dc/elements/1.1/"), ("x", "http://purl.org/dc/elements/1.1/"), ("DC", "http://purl.org/dc/elements/1.1/")]:
        feed(f"dc_{pre}", rss(item(1, f"<{pre}:creator>Ann Lee</{pre}:creator>", date=False) + item(2), ns=f'xmlns:{pre}="{uri}"'))
    feed("dc_undeclared", rss(item(1, "<dc:creator>Ann Lee</dc:creator>")))
    feed("dc_all", rss(f"<item><dc:title>Only here</dc:title><link>http://example.org/1</link><dc:creator>Ann</dc:creator><dc:date>2024-10-01T12:00:00+02:00</dc:date><dc:description>Said</dc:description></item>", ns=DC))
    feed("dc_date_and_pub", rss(item(1, "<dc:date>2024-11-01T12:00:00Z</dc:date>"), ns=DC))
    feed("dc_creator_twice", rss(item(1, "<dc:creator>Ann</dc:creator><dc:creator>Bob</dc:creator>"), ns=DC))
    feed("media_undeclared", rss(item(1, '<media:title>Other title</media:title><media:thumbnail url="http://example.org/a.jpg"/>')))
    feed("media_group", rss(item(1, '<media:group><media:content url="http://example.org/v.mp4" type="video/mp4"/><media:title>Video</media:title></media:group>'), ns='xmlns:media="http://search.yahoo.com/mrss/"'))
    feed("media_short_ns", rss(item(1, '<media:content url="http://example.org/v.jpg" type="image/jpeg"/>'), ns='xmlns:media="http://search.yahoo.com/mrss"'))
    feed("dcterms", rss(item(1, "<dcterms:modified>2024-10-05T00:00:00Z</dcterms:modified><dcterms:issued>2024-10-04T00:00:00Z</dcterms:issued>", date=False), ns='xmlns:dcterms="http://purl.org/dc/terms/"'))
    # RDF.
    rdf = lambda items, ns="http://purl.org/rss/1.0/", x="": (
        f'<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" {x} xmlns="{ns}" {DC} {CONTENT}>'
        f'<channel rdf:about="http://example.org/"><title>Harbour notes</title><link>http://example.org/</link><description>d</description>'
        f'<items><rdf:Seq><rdf:li rdf:resource="http://example.org/1"/></rdf:Seq></items></channel>{items}</rdf:RDF>')
    rdf_item = '<item rdf:about="http://example.org/1"><title>One</title><link>http://example.org/1</link><description>First &amp; foremost</description><dc:creator>Ann</dc:creator><dc:date>2024-10-01T12:00:00Z</dc:date></item>'
    feed("rdf_10", rdf(rdf_item))
    feed("rdf_09", rdf('<item><title>One</title><link>http://example.org/1</link></item>', "http://my.netscape.com/rdf/simple/0.9/"))
    feed("rdf_09_channel_ns", rdf('<item><title>One</title><link>http://example.org/1</link></item>', "http://channel.netscape.com/rdf/simple/0.9/"))
    feed("rdf_odd_ns", rdf(rdf_item, "http://example.org/my-own#"))
    feed("rdf_content", rdf(rdf_item.replace("</item>", "<content:encoded><![CDATA[<p>Long <b>text</b></p>]]></content:encoded></item>")))
    feed("rdf_no_link", rdf('<item rdf:about="http://example.org/5"><title>No link</title><description>x</description></item>'))
    feed("rdf_item_inside", rdf("").replace("</channel>", rdf_item + "</channel>"))
    feed("rdf_prefixed", rdf("").replace('xmlns="http://purl.org/rss/1.0/"', 'xmlns:r="http://purl.org/rss/1.0/"').replace("<channel", "<r:channel").replace("</channel", "</r:channel").replace("</rdf:RDF>", '<r:item rdf:about="http://example.org/9"><r:title>Nine</r:title><r:link>http://example.org/9</r:link></r:item></rdf:RDF>'))
    # Atom.
    feed("atom_plain", atom(entry(1) + entry(2)))
    feed("atom_prefixed", '<?xml version="1.0"?><a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>Harbour notes</a:title><a:link href="http://example.org/"/><a:entry><a:title>T</a:title><a:id>urn:1</a:id><a:link href="http://example.org/1"/><a:updated>2024-10-01T00:00:00Z</a:updated><a:summary>S</a:summary></a:entry></a:feed>')
    for ns in ["", 'xmlns="http://purl.org/atom/ns#"', 'xmlns="http://www.w3.org/2005/Atom/"', 'xmlns="http://www.w3.org/2005/atom"', 'xmlns="https://www.w3.org/2005/Atom"', 'xmlns="http://purl.org/net/unknown#"', 'xmlns="http://example.com/necho"', 'xmlns="http://purl.org/echo/"', 'xmlns="http://purl.org/pie/"']:
        feed(f"atom_ns_{ns}", atom(entry(1), ns))
    feed("atom03", atom('<entry><title mode="escaped" type="text/html">A &lt;b&gt;bold&lt;/b&gt; one</title><id>tag:1</id><link rel="alternate" type="text/html" href="http://example.org/1"/><issued>2003-12-13T08:29:29-04:00</issued><modified>2003-12-13T18:30:02Z</modified><created>2003-12-01T00:00:00Z</created><author><name>Ann</name></author><content type="text/html" mode="escaped">&lt;p&gt;Hello&lt;/p&gt;</content></entry>', 'version="0.3" xmlns="http://purl.org/atom/ns#"', "<tagline>Tag</tagline>"))
    feed("atom03_xml", atom('<entry><title>A</title><id>tag:1</id><link rel="alternate" type="text/html" href="http://example.org/1"/><issued>2003-12-13T08:29:29Z</issued><modified>2003-12-13T18:30:02Z</modified><content type="application/xhtml+xml" mode="xml"><div xmlns="http://www.w3.org/1999/xhtml">Hello <em>you</em></div></content></entry>', 'version="0.3" xmlns="http://purl.org/atom/ns#"'))
    feed("atom03_base64", atom('<entry><title>A</title><id>tag:1</id><modified>2003-12-13T18:30:02Z</modified><content type="text/html" mode="base64">PHA+SGVsbG8gYmFzZTwvcD4=</content></entry>', 'version="0.3" xmlns="http://purl.org/atom/ns#"'))
    for t in ["text", "html", "xhtml", "text/plain", "text/html", "application/xhtml+xml", "TEXT", ""]:
        inner = '<div xmlns="http://www.w3.org/1999/xhtml">A <em>word</em></div>' if "xhtml" in t else "A &lt;em&gt;word&lt;/em&gt;" if "html" in t else "A word &amp; another"
        ty = f'type="{t}"' if t else ""
        feed(f"atom_title_{t}", atom(entry(1, title=f"<title {ty}>{inner}</title>")))
        feed(f"atom_content_{t}", atom(entry(1, f"<content {ty}>{inner}</content>")))
        feed(f"atom_summary_{t}", atom(entry(1, summary=f"<summary {ty}>{inner}</summary>")))
    feed("atom_two_divs", atom(entry(1, '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">A</div><div xmlns="http://www.w3.org/1999/xhtml">B</div></content>')))
    feed("atom_xhtml_prefixed", atom(entry(1, '<content type="xhtml"><xhtml:div xmlns:xhtml="http://www.w3.org/1999/xhtml"><xhtml:p>Words <xhtml:a href="/x">here</xhtml:a></xhtml:p></xhtml:div></content>')))
    feed("atom_src", atom(entry(1, '<content type="text/html" src="http://example.org/full"/>')))
    feed("atom_image_content", atom(entry(1, '<content type="image/png">iVBORw0KGgo=</content>')))
    feed("atom_base", atom(entry(1, '<content type="html">&lt;a href="rel"&gt;r&lt;/a&gt;</content>', link='<link href="rel/1"/>'), attrs='xml:base="http://base.example.net/dir/"'))
    feed("atom_nested_base", atom(f'<entry xml:base="sub/">{entry(1, link="<link href=one/>".replace("one", chr(34) + "one" + chr(34)))[7:]}', attrs='xml:base="http://base.example.net/dir/"'))
    feed("atom_relative_no_base", atom(entry(1, link='<link href="/abs/1"/>')))
    feed("atom_many_links", atom(entry(1, link='<link rel="self" href="http://example.org/self"/><link rel="enclosure" type="audio/mpeg" href="http://example.org/a.mp3"/><link rel="alternate" type="text/html" href="http://example.org/right"/><link rel="replies" href="http://example.org/replies"/>')))
    feed("atom_link_types", atom(entry(1, link='<link rel="alternate" type="application/json" href="http://example.org/1.json"/><link rel="alternate" type="text/html" href="http://example.org/1.html"/>')))
    feed("atom_no_link", atom(entry(1, link="")))
    feed("atom_author", atom(entry(1, "<author><name>Ann Lee</name><email>ann@example.org</email><uri>http://example.org/ann</uri></author>")))
    feed("atom_author_email", atom(entry(1, "<author><email>ann@example.org</email></author>")))
    feed("atom_two_authors", atom(entry(1, "<author><name>Ann</name></author><author><name>Bob</name></author>")))
    feed("atom_feed_author", atom(entry(1), head="<author><name>Whole Feed</name></author>"))
    feed("atom_source", atom(entry(1, "<source><title>Elsewhere</title><id>urn:else</id><link href='http://else.example.org/'/><updated>2020-01-01T00:00:00Z</updated></source>")))
    feed("atom_dc_creator", atom(entry(1, "<dc:creator>Ann</dc:creator>"), 'xmlns="http://www.w3.org/2005/Atom" ' + DC))
    feed("atom_entry_only", '<?xml version="1.0"?><entry xmlns="http://www.w3.org/2005/Atom"><title>Alone</title><id>urn:alone</id><link href="http://example.org/alone"/><updated>2024-10-01T00:00:00Z</updated></entry>')
    feed("atom_media", atom(entry(1, '<media:group xmlns:media="http://search.yahoo.com/mrss/"><media:title>V</media:title><media:thumbnail url="http://example.org/t.jpg"/><media:description>About it</media:description></media:group>', summary="")))
    feed("atom_empty_fields", atom(entry(1, "<content/><author/><category/>", summary="<summary/>")))
    feed("atom_pubdate", atom(entry(1, "<pubDate>Tue, 01 Oct 2024 10:00:00 GMT</pubDate>", date=False)))
    feed("atom_rss_mix", atom(entry(1, "<description>From RSS</description><guid>g</guid>", summary="")))
    # Titles and text.
    for i, t in enumerate(["Cats &amp; dogs", "Cats &amp;amp; dogs", "&lt;b&gt;Bold&lt;/b&gt; one", "<![CDATA[Cats & <i>dogs</i>]]>", "1 &lt; 2", "AT&T today", "caf&eacute; &mdash; open",
                           "&#8220;Quoted&#8221;", "&#147;cp&#148; &#146;", "&#x2019;s", "a &#0; b", "  much \n  space  ", "tab\there", "naïve ünïcode", "<![CDATA[One]]> and <![CDATA[two]]>", "A & B & C", "x &unknown; y", "&lt;not a tag", "5 > 3", "<b>Raw</b> markup", "", "&amp;lt;tag&amp;gt;", "emoji \U0001F600 here"]):
        feed(f"rss_title_{i}", rss(item(1, title=t) + item(2)))
        if "<b>" not in t:
            feed(f"atom_text_{i}", atom(entry(1, title=f"<title>{t}</title>")))
    for i, d in enumerate(["<p>Raw <b>markup</b></p>", "Line<br>break", "Line<br/>break", "<![CDATA[<p>In CDATA &amp; so</p>]]>", "&lt;p&gt;Escaped&lt;/p&gt;", "<img src='/a.png'>text", "<div><p>one<p>two</div>",
                           "<a href=\"http://example.org/?a=1&b=2\">link</a>", "plain", "&amp;lt;double&amp;gt;", "<![CDATA[never closed", "<p>unclosed <em>all", "text &nbsp; &copy; 2024", "<script>bad()</script>kept", "<ul><li>a<li>b</ul>", "<?php echo 1 ?>x", "<!-- hidden -->seen"]):
        feed(f"rss_desc_{i}", rss(item(1, desc=d) + item(2)))
        feed(f"rss_desc_alone_{i}", rss(item(1, desc=d, guid=False)))
    feed("rss_content_encoded", rss(item(1, "<content:encoded><![CDATA[<p>The <b>whole</b> text</p>]]></content:encoded>"), ns=CONTENT))
    feed("rss_content_undeclared", rss(item(1, "<content:encoded><![CDATA[<p>The whole text</p>]]></content:encoded>")))
    feed("rss_content_only", rss(item(1, "<content:encoded>&lt;p&gt;Only&lt;/p&gt;</content:encoded>", desc=None), ns=CONTENT))
    feed("rss_two_descriptions", rss(item(1, "<description>Second description</description>")))
    feed("rss_xhtml_body", rss(item(1, '<body xmlns="http://www.w3.org/1999/xhtml"><p>Body <b>text</b></p></body>')))
    feed("rss_xhtml_prefix", rss(item(1, '<xhtml:body><xhtml:p>Body text</xhtml:p></xhtml:body>'), ns='xmlns:xhtml="http://www.w3.org/1999/xhtml"'))
    feed("rss_fullitem", rss(item(1, "<fullitem>&lt;p&gt;Full&lt;/p&gt;</fullitem>")))
    # Ids and links.
    feed("guid_permalink", rss("<item><title>T</title><guid>http://example.org/g/1</guid></item>"))
    feed("guid_permalink_true", rss('<item><title>T</title><guid isPermaLink="true">http://example.org/g/1</guid></item>'))
    feed("guid_not_permalink", rss('<item><title>T</title><guid isPermaLink="false">http://example.org/g/1</guid></item>'))
    feed("guid_with_space", rss("<item><title>T</title><guid>\n  http://example.org/g/1\n </guid><link>\nhttp://example.org/l\n</link></item>"))
    feed("guid_empty", rss("<item><title>T</title><guid></guid><link>http://example.org/l</link></item>"))
    feed("no_guid", rss(item(1, guid=False) + item(2, guid=False)))
    feed("no_link", rss(item(1, link=False)))
    feed("nothing_but_title", rss("<item><title>Just this</title></item><item><title>And this</title></item>"))
    feed("nothing_but_description", rss("<item><description>Just text</description></item>"))
    feed("link_amp", rss("<item><title>T</title><link>http://example.org/?a=1&b=2</link></item>"))
    feed("link_amp_escaped", rss("<item><title>T</title><link>http://example.org/?a=1&amp;b=2</link></item>"))
    feed("link_cdata", rss("<item><title>T</title><link><![CDATA[http://example.org/?a=1&b=2]]></link></item>"))
    feed("link_relative", rss("<item><title>T</title><link>/rel/1</link><guid>g1</guid></item>"))
    feed("link_href", rss('<item><title>T</title><link href="http://example.org/h"/></item>'))
    feed("link_twice", rss('<item><title>T</title><link>http://example.org/1</link><link>http://example.org/2</link></item>'))
    feed("link_unicode", rss('<item><title>T</title><link>http://example.org/bücher</link></item>'))
    feed("atom_link_in_rss", rss(two, ns='xmlns:atom="http://www.w3.org/2005/Atom"', head='<atom:link rel="self" href="http://example.org/feed.xml" type="application/rss+xml"/>'))
    feed("atom_link_in_item", rss(item(1, '<atom:link href="http://example.org/atomlink"/>', link=False), ns='xmlns:atom="http://www.w3.org/2005/Atom"'))
    feed("enclosure", rss(item(1, '<enclosure url="http://example.org/a.mp3" length="123" type="audio/mpeg"/>')))
    feed("feed_image", rss(two, head="<image><title>Logo</title><url>http://example.org/l.png</url><link>http://example.org/logo</link></image>"))
    feed("feed_image_first", '<rss version="2.0"><channel><image><title>Logo</title><url>http://example.org/l.png</url><link>http://example.org/logo</link></image><title>Harbour notes</title><link>http://example.org/</link>' + two + "</channel></rss>")
    feed("feed_textinput", rss(two, head="<textInput><title>Search</title><description>Find</description><name>q</name><link>http://example.org/search</link></textInput>"))
    feed("item_source", rss(item(1, '<source url="http://else.example.org/feed">Elsewhere</source>')))
    feed("item_comments", rss(item(1, '<comments>http://example.org/notes/1#comments</comments>')))
    # Authors.
    for i, a in enumerate(["ann@example.org", "ann@example.org (Ann Lee)", "Ann Lee (ann@example.org)", "Ann Lee &lt;ann@example.org&gt;", "Ann Lee", "<name>Ann Lee</name><email>ann@example.org</email>", "mailto:ann@example.org", "<![CDATA[Ann Lee]]>"]):
        feed(f"author_{i}", rss(item(1, f"<author>{a}</author>")))
    feed("itunes_author", rss(item(1, "<itunes:author>Ann Lee</itunes:author><itunes:duration>12:30</itunes:duration><itunes:image href='http://example.org/i.jpg'/>"), ns='xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"'))
    feed("itunes_summary", rss(item(1, "<itunes:summary>Show notes</itunes:summary>", desc=None), ns='xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"'))
    feed("itunes_both", rss(item(1, "<itunes:summary>Show notes</itunes:summary><itunes:subtitle>Sub</itunes:subtitle>"), ns='xmlns:itunes="http://www.itunes.com/DTDs/PodCast-1.0.dtd"'))
    # Dates.
    for i, d in enumerate(["Tue, 01 Oct 2024 10:00:00 GMT", "Tue, 01 Oct 2024 10:00:00 +0200", "Tue, 1 Oct 2024 10:00:00 EST", "01 Oct 2024 10:00 GMT", "Tue, 01 Oct 24 10:00:00 GMT", "Tue, 01 October 2024 10:00:00 GMT", "2024-10-01T10:00:00Z", "2024-10-01T10:00:00.123+02:00", "2024-10-01 10:00:00", "2024-10-01",
                           "20241001T100000Z", "2024-10", "2024", "Tue Oct  1 10:00:00 2024", "Thurs, 01 Oct 2024 10:00:00 GMT", "Tue,01 Oct 2024 10:00:00 GMT", "Tue, 01 Oct 2024 10:00:00 PDT", "Tue, 01 Oct 2024 24:00:00 GMT", "not a date", "", "Mon, 32 Oct 2024 10:00:00 GMT", "2024-10-01T10:00:00 -0500", "Tue, 01 Oct 2024 10:00:00 Z", "Tue, 01 Oct 2024", "Oct 1, 2024 10:00:00 GMT", "2024/10/01 10:00:00", "1 Oct 2024 10:00:00 +02:00", "Tue, 01 Oct 2024 10:00:00 UT", "2024-10-01T10:00Z", "2024-10-01T10:00:00", "2099-01-01T00:00:00Z", "Tue, 01 Oct 2024 10:00:00 -0000", "Tue, 01 Oct 2024 9:05:00 GMT", "2024-275", "Wed, 30 Jan 2013 22:15:60 GMT"]):
        feed(f"date_rss_{i}", rss(item(1, f"<pubDate>{d}</pubDate>", date=False)))
        feed(f"date_atom_{i}", atom(entry(1, f"<updated>{d}</updated>", date=False)))
    # Encodings.
    text = rss(item(1, title="Größe Ørsted") + item(2, title="naïve"), prolog="")
    cyr = rss(item(1, title="Привет мир", desc="Длинный русский текст о лодках и гавани, чтобы было что узнавать."), prolog="")
    jp = rss(item(1, title="日本語の記事", desc="これは港と船についての長い文章です。読みやすい日本語で書かれています。"), prolog="")
    for enc in ["utf-8", "iso-8859-1", "windows-1252", "iso-8859-15", "utf-16", "utf-16-le", "utf-16-be"]:
        feed(f"enc_{enc}_declared", f'<?xml version="1.0" encoding="{enc}"?>' + text, enc)
        feed(f"enc_{enc}_header", '<?xml version="1.0"?>' + text, enc, {"content-type": f"application/xml; charset={enc}"})
    feed("enc_utf8_bom", b"\xef\xbb\xbf" + ('<?xml version="1.0" encoding="utf-8"?>' + text).encode())
    feed("enc_utf16be_bom_declared", b"\xfe\xff" + ('<?xml version="1.0" encoding="utf-16"?>' + text).encode("utf-16-be"))
    feed("enc_utf16le_bom", b"\xff\xfe" + ('<?xml version="1.0" encoding="utf-16"?>' + text).encode("utf-16-le"))
    feed("enc_utf32", ('<?xml version="1.0"?>' + text).encode("utf-32"))
    feed("enc_utf32be", ('<?xml version="1.0" encoding="utf-32be"?>' + text).encode("utf-32-be"))
    for enc in ["koi8-r", "windows-1251", "iso-8859-5", "utf-8"]:
        feed(f"enc_{enc}", f'<?xml version="1.0" encoding="{enc}"?>' + cyr, enc)
    for enc in ["shift_jis", "euc-jp", "iso-2022-jp", "utf-8"]:
        feed(f"enc_{enc}_jp", f'<?xml version="1.0" encoding="{enc}"?>' + jp, enc)
    feed("enc_gb2312", f'<?xml version="1.0" encoding="gb2312"?>' + rss(item(1, title="中文标题"), prolog=""), "gb2312")
    feed("enc_big5", f'<?xml version="1.0" encoding="big5"?>' + rss(item(1, title="中文標題"), prolog=""), "big5")
    feed("enc_declared_utf8_is_latin1", '<?xml version="1.0" encoding="utf-8"?>'.encode() + text.encode("windows-1252"))
    feed("enc_declared_ascii_is_utf8", '<?xml version="1.0" encoding="us-ascii"?>'.encode() + text.encode("utf-8"))
    feed("enc_declared_latin1_is_utf8", '<?xml version="1.0" encoding="iso-8859-1"?>'.encode() + text.encode("utf-8"))
    feed("enc_unknown_name", '<?xml version="1.0" encoding="no-such-thing"?>'.encode() + text.encode("utf-8"))
    feed("enc_header_wins", ('<?xml version="1.0" encoding="utf-8"?>' + text).encode("iso-8859-1"), headers={"content-type": "application/xml; charset=iso-8859-1"})
    feed("enc_text_xml_no_charset", ('<?xml version="1.0" encoding="iso-8859-1"?>' + text).encode("iso-8859-1"), headers={"content-type": "application/rss+xml"})
    # Broken documents.
    feed("leading_space", "\n\n  " + rss(two))
    feed("leading_junk", "Warning: mysql_connect() failed\n" + rss(two))
    feed("trailing_junk", rss(two) + "<!-- cached 12ms --><script>track()</script>")
    feed("truncated_in_item", rss(two)[:-60])
    feed("truncated_in_tag", rss(two)[:-72])
    feed("truncated_cdata", rss(item(1) + "<item><title>Second</title><link>http://example.org/2</link><description><![CDATA[cut o")[:-15])
    feed("no_end", rss(two).replace("</channel></rss>", ""))
    feed("mismatched", rss(item(1).replace("</description>", "</descrption>") + item(2)))
    feed("missing_close_title", rss("<item><title>Open<link>http://example.org/1</link><guid isPermaLink='false'>1</guid></item>" + item(2)))
    feed("missing_close_item", rss(item(1).replace("</item>", "") + item(2)))
    feed("stray_close", rss(item(1) + "</div>" + item(2)))
    feed("crossed", rss(item(1, desc="<b><i>x</b></i>") + item(2)))
    feed("unquoted_attrs", rss(item(1, "<guid isPermaLink=false>abc</guid>", guid=False)))
    feed("dup_attrs", rss(item(1, '<enclosure url="http://example.org/a.mp3" url="http://example.org/b.mp3" type="audio/mpeg"/>')))
    feed("control_chars", rss(item(1, title="Bad \x0b\x01 char") + item(2)))
    feed("nul", rss(item(1, title="Nul \x00 char")))
    feed("doctype", '<?xml version="1.0"?><!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/publish/formats/rss-0.91.dtd">' + rss(two, 'version="0.91"', prolog=""))
    feed("doctype_entities", '<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY nbsp "&#160;">]>' + rss(item(1, title="a&nbsp;b"), prolog=""))
    feed("billion_laughs", '<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]>' + rss(item(1, title="x &b; y"), prolog=""))
    feed("uppercase", rss(two).upper().replace("<?XML VERSION", "<?xml version").replace("HTTP://EXAMPLE.ORG", "http://example.org"))
    feed("no_prolog", rss(two, prolog=""))
    feed("bad_prolog", rss(two, prolog="<?xml version='1.0' encoding=utf-8?>"))
    feed("late_prolog", "<!-- x --><?xml version='1.0'?>" + rss(two, prolog=""))
    feed("stylesheet", rss(two, prolog='<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="/x.xsl"?>'))
    feed("items_outside_channel", '<rss version="2.0"><channel><title>Harbour notes</title><link>http://example.org/</link></channel>' + two + "</rss>")
    feed("items_before_title", '<rss version="2.0"><channel>' + two + "<title>Harbour notes</title><link>http://example.org/</link></channel></rss>")
    feed("empty_rss", rss(""))
    feed("empty_atom", atom(""))
    feed("crlf", rss(two).replace("><", ">\r\n<"))
    feed("cdata_everywhere", rss("<item><title><![CDATA[T]]></title><link><![CDATA[http://example.org/1]]></link><guid><![CDATA[http://example.org/1]]></guid><pubDate><![CDATA[Tue, 01 Oct 2024 10:00:00 GMT]]></pubDate><description><![CDATA[D]]></description></item>"))
    feed("cdata_with_close", rss(item(1, desc="<![CDATA[a ]] b > c ]]]]><![CDATA[> d]]>")))
    feed("comment_inside", rss(item(1, title="One<!-- no --> two")))
    feed("deep", rss(item(1, desc="<div>" * 200 + "deep" + "</div>" * 200)))
    feed("wrapped_html", "<html><body>" + rss(two, prolog="") + "</body></html>")
    feed("feedburner", rss(item(1, "<feedburner:origLink>http://origin.example.org/1</feedburner:origLink>"), ns='xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0"'))
    feed("slash", rss(item(1, "<slash:comments>5</slash:comments><wfw:commentRss>http://example.org/c</wfw:commentRss>"), ns='xmlns:slash="http://purl.org/rss/1.0/modules/slash/" xmlns:wfw="http://wellformedweb.org/CommentAPI/"'))
    feed("georss", rss(item(1, "<georss:point>45.2 -71.9</georss:point>"), ns='xmlns:georss="http://www.georss.org/georss"'))
    feed("cdf", '<?xml version="1.0"?><channel href="http://example.org/" lastmod="2024-10-01T10:00"><title>Harbour notes</title><abstract>a</abstract><item href="http://example.org/1" lastmod="2024-10-01T10:00"><title>One</title><abstract>First</abstract></item></channel>')
    feed("xml_base_rss", rss("<item xml:base='http://base.example.net/d/'><title>T</title><link>x/1</link><description>&lt;a href='y'&gt;y&lt;/a&gt;</description></item>"))
    for n in (3, 7):
        feed(f"wordpress_{n}", rss("".join(item(i, f"<dc:creator><![CDATA[Writer {i}]]></dc:creator><category><![CDATA[Boats]]></category><content:encoded><![CDATA[<p>Paragraph {i} with <a href=\"http://example.org/x?a=1&amp;b=2\">link</a> &#8230;</p>]]></content:encoded><slash:comments>0</slash:comments>") for i in range(1, n)), ns=f'{DC} {CONTENT} xmlns:slash="http://purl.org/rss/1.0/modules/slash/" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"', head='<atom:link href="http://example.org/feed/" rel="self" type="application/rss+xml"/><sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>1</sy:updateFrequency><lastBuildDate>Tue, 01 Oct 2024 10:00:00 +0000</lastBuildDate><language>en-US</language>'))


def write(folder):
    make()
    os.makedirs(folder, exist_ok=True)
    index = []
    for i, (name, (data, headers, base)) in enumerate(FEEDS.items()):
        path = os.path.join(folder, f"{i:03}-{re.sub('[^a-zA-Z0-9]+', '_', name)[:60]}.xml")
        open(path, "wb").write(data)
        index.append({"id": name, "path": os.path.abspath(path), "headers": headers, "base_uri": base})
    json.dump(index, open(os.path.join(folder, "index.json"), "w"))
    print(len(index), "feeds")


def plain(value):
    value = re.sub(r"(?is)<(script|style)\b.*?</\1\s*>", " ", value or "")
    value = re.sub(r"(?s)<!--.*?-->", "", value)
    value = re.sub(r"<[^>]*>", " ", value)
    value = html.unescape(html.unescape(value))
    return re.sub(r"[\s\u200b\ufffd\x00-\x1f]+", "", value)


def stamp(parsed):
    return calendar.timegm(parsed) if parsed else None


def ours_stamp(value):
    if not value: return None
    import datetime
    return int(datetime.datetime.fromisoformat(value.replace("Z", "+00:00")).timestamp())


def link(value):
    from urllib.parse import quote
    return quote((value or "").strip(), safe="%/:=&?~#+!$,;'@()*[]").rstrip("/")


def differences(ref, got):
    out = []
    def check(name, a, b):
        if a not in (None, "") and a != b: out.append((name, a, b))
    check("title", plain(ref.feed.get("title")), plain(got["title"]))
    check("link", link(ref.feed.get("link")), link(got["link"]))
    if len(ref.entries) != len(got["entries"]):
        out.append(("count", len(ref.entries), len(got["entries"])))
        return out
    for e, g in zip(ref.entries, got["entries"]):
        check("id", (e.get("id") or "").strip(), g["id"])
        # An Atom title without a type is text: its angle brackets are not markup.
        is_text = ref.version.startswith("atom1") and e.get("title_detail", {}).get("type") == "text/plain"
        title = html.escape(e.get("title") or "") if is_text else e.get("title")
        check("entry title", plain(title), plain(html.escape(g["title"] or "")))
        check("entry link", link(e.get("link")), link(g["link"]))
        detail = e.get("author_detail") or {}
        names = {plain(x) for x in (e.get("author"), detail.get("name"), detail.get("email")) if x}
        names |= {plain(a.get("name")) for a in e.get("authors", []) if a.get("name")}
        if names and not any(n and (n in plain(g["author"])) for n in names): out.append(("author", sorted(names), g["author"]))
        check("published", stamp(e.get("published_parsed")), ours_stamp(g["published"]))
        if not (e.get("published_parsed") and e.get("updated_parsed") == e.get("published_parsed")):
            check("updated", stamp(e.get("updated_parsed")), ours_stamp(g["updated"] or g["published"]))
        content = e.content[0].value if e.get("content") else ""
        check("summary", plain(e.get("summary")), plain(g["summary"] or g["content"]))
        check("content", plain(content), plain(g["content"]))
    return out


def agree(folder, command, verbose):
    import feedparser
    index = json.load(open(os.path.join(folder, "index.json")))
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    parsed = agreed = parseable = misread = 0
    for ask in index:
        process.stdin.write(json.dumps(ask) + "\n"); process.stdin.flush()
        got = json.loads(process.stdout.readline())
        headers = dict(ask["headers"], **{"content-location": ask["base_uri"]})
        headers.setdefault("content-type", "application/xml")
        if "charset" not in headers["content-type"] and not ask["headers"]: headers.pop("content-type")
        ref = feedparser.parse(open(ask["path"], "rb").read(), response_headers=headers)
        if not ref.entries and not ref.feed.get("title"):
            print("reference reads nothing:", ask["id"])
            continue
        parseable += 1
        if not got["ok"]:
            print("NOT READ", ask["id"], got.get("error")); continue
        parsed += 1
        diff = differences(ref, got)
        agreed += not diff
        misread += bool(diff) and ask["id"] in MISREAD
        if diff and verbose:
            print(ask["id"], "repaired" if got["repaired"] else "", MISREAD.get(ask["id"], ""))
            for d in diff[:4]: print("     %s\n        ref  %r\n        ours %r" % (d[0], d[1], d[2]))
    print(f"feeds {parseable}, read {parsed} ({100 * parsed / parseable:.1f} %), agree {agreed} ({100 * agreed / parseable:.1f} %); "
          f"without {misread} that the reference misreads {100 * agreed / (parseable - misread):.1f} %")


def big(path):
    make()
    items = "".join(f"<item><title>Note number {i} about the harbour</title><link>http://example.org/notes/{i}?utm_source=rss</link><guid isPermaLink=\"false\">note-{i}</guid><pubDate>Tue, 01 Oct 2024 {i % 24:02}:00:00 GMT</pubDate><dc:creator><![CDATA[Writer {i % 5}]]></dc:creator><description><![CDATA[{'A sentence about boats and ropes. ' * 4}]]></description><content:encoded><![CDATA[" + "".join(f"<p>Paragraph {j} of <b>note {i}</b>, with <a href=\"/x/{j}\">a link</a> and <img src=\"/i/{j}.png\" alt=\"boat\"> words about the tide and the quay, at some length.</p>" for j in range(15)) + "]]></content:encoded></item>" for i in range(60))
    open(path, "w").write(rss(items, ns='xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/"'))
    print(os.path.getsize(path), "bytes")


if __name__ == "__main__":
    if sys.argv[1] == "write": write(sys.argv[2])
    elif sys.argv[1] == "big": big(sys.argv[2])
    else: agree(sys.argv[2], sys.argv[sys.argv.index("--") + 1:], "-v" in sys.argv)
