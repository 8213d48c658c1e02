#!/usr/bin/env python3
"""Feeds in the formats that common publishing programs write, each intact and damaged in five ways.

    python3 held_feeds.py write DIR

They were written after the parser, which was not changed for them. Compare with `hard_feeds.py agree DIR -- …`.
All texts in them are invented.
"""
import json, os, sys

XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
DC = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'
CONTENT = 'xmlns:content="http://purl.org/rss/1.0/modules/content/"'
ATOM = 'xmlns:atom="http://www.w3.org/2005/Atom"'
MEDIA = 'xmlns:media="http://search.yahoo.com/mrss/"'
ITUNES = 'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"'
TITLES = ["The long quay", "Tide tables &amp; how to read them", "Why &#8220;slow&#8221; boats last", "A café by the mole"]


def rss(item, ns="", head="", n=4):
    items = "\n".join(item(i, TITLES[i]) for i in range(n))
    return (f'{XML}<rss version="2.0" {ns}>\n<channel>\n<title>Shore letters</title>\n<link>https://shore.example.org/</link>\n'
            f'<description>From the coast</description>\n{head}\n{items}\n</channel>\n</rss>\n')


def atom(entry, ns="", head="", n=4):
    entries = "\n".join(entry(i, TITLES[i]) for i in range(n))
    return (f'{XML}<feed xmlns="http://www.w3.org/2005/Atom" {ns}>\n<title>Shore letters</title>\n<id>tag:shore.example.org,2024:feed</id>\n'
            f'<link rel="alternate" type="text/html" href="https://shore.example.org/"/>\n<updated>2024-10-04T10:00:00Z</updated>\n{head}\n{entries}\n</feed>\n')


def rdf(item, n=4):
    items = "\n".join(item(i, TITLES[i]) for i in range(n))
    return (f'{XML}<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" {DC} {CONTENT}>\n'
            f'<channel rdf:about="https://shore.example.org/"><title>Shore letters</title><link>https://shore.example.org/</link>'
            f'<description>From the coast</description></channel>\n{items}\n</rdf:RDF>\n')


def url(i, path="posts"): return f"https://shore.example.org/{path}/{i + 1}"
def rfc822(i): return f"0{i + 1} Oct 2024 0{i}:30:00 +0000"
def iso(i): return f"2024-10-0{i + 1}T0{i}:30:00Z"
def para(i): return f"<p>Letter {i} from the <em>shore</em>, with <a href=\"{url(i)}?a=1&amp;b=2\">a link</a> and words.</p>"
def cdata(t): return f"<![CDATA[{t}]]>"
PICTURE = '<img src="/i.jpg" alt="x">'
def esc(t): return t.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


SHAPES = {
    "press": rss(lambda i, t: f"<item><title>{t}</title><link>{url(i)}/</link><comments>{url(i)}/#comments</comments><dc:creator>{cdata('Ann Lee')}</dc:creator><pubDate>{rfc822(i)}</pubDate><category>{cdata('Sea')}</category><guid isPermaLink=\"false\">https://shore.example.org/?p={i}</guid><description>{cdata('Short of ' + str(i) + ' [&#8230;]')}</description><content:encoded>{cdata(para(i))}</content:encoded></item>", f"{DC} {CONTENT} {ATOM}", '<atom:link href="https://shore.example.org/feed/" rel="self" type="application/rss+xml"/>'),
    "hosted_blog": atom(lambda i, t: f"<entry><id>tag:blog.example.org,1999:blog-7.post-{i}</id><published>{iso(i)[:-1]}.001-07:00</published><updated>{iso(i)[:-1]}.002-07:00</updated><title type='text'>{t}</title><content type='html'>{esc(para(i))}</content><link rel='replies' type='application/atom+xml' href='{url(i)}/comments'/><link rel='edit' type='application/atom+xml' href='{url(i)}/edit'/><link rel='alternate' type='text/html' href='{url(i)}.html' title='x'/><author><name>Ann Lee</name><uri>https://shore.example.org/ann</uri><email>noreply@shore.example.org</email></author><thr:total>2</thr:total></entry>", "xmlns:thr='http://purl.org/syndication/thread/1.0'"),
    "ghostly": rss(lambda i, t: f"<item><title>{cdata(t.replace('&amp;', '&').replace('&#8220;', '“').replace('&#8221;', '”'))}</title><description>{cdata('In short')}</description><link>{url(i)}/</link><guid isPermaLink=\"false\">6510{i}</guid><dc:creator>{cdata('Bo')}</dc:creator><pubDate>Tue, {rfc822(i)}</pubDate><media:content url=\"https://shore.example.org/{i}.jpg\" medium=\"image\"/><content:encoded>{cdata(PICTURE + para(i))}</content:encoded></item>", f"{DC} {CONTENT} {MEDIA}"),
    "static_rss": rss(lambda i, t: f"<item><title>{t}</title><link>{url(i)}/</link><pubDate>{rfc822(i)}</pubDate><guid>{url(i)}/</guid><description>{esc(para(i))}</description></item>", ATOM, '<generator>static</generator><language>en</language><lastBuildDate>Fri, 04 Oct 2024 10:00:00 +0000</lastBuildDate>'),
    "static_atom": atom(lambda i, t: f'<entry><title type="html">{t}</title><link href="{url(i)}" rel="alternate" type="text/html" title="x"/><published>{iso(i)}</published><updated>{iso(i)}</updated><id>{url(i)}</id><content type="html" xml:base="{url(i)}">{cdata(para(i))}</content><author><name>Ann Lee</name></author><summary type="html">{cdata("Short")}</summary></entry>', head="<generator uri='https://static.example/'>static</generator><subtitle>From the coast</subtitle>"),
    "magazine": rss(lambda i, t: f"<item><title>{cdata(t)}</title><link>{url(i)}?source=rss----7---4</link><guid isPermaLink=\"false\">https://shore.example.org/p/{i}</guid><category>{cdata('boats')}</category><dc:creator>{cdata('Ann Lee')}</dc:creator><pubDate>{rfc822(i)}</pubDate><atom:updated>{iso(i)[:-1]}.000Z</atom:updated><content:encoded>{cdata(para(i))}</content:encoded></item>", f"{DC} {CONTENT} {ATOM}"),
    "newsletter": rss(lambda i, t: f"<item><title>{cdata(t)}</title><description>{cdata('Hello readers')}</description><link>{url(i, 'p')}</link><guid isPermaLink=\"false\">{url(i, 'p')}</guid><dc:creator>{cdata('Ann Lee')}</dc:creator><pubDate>{rfc822(i)}</pubDate><enclosure url=\"https://shore.example.org/{i}.png\" length=\"0\" type=\"image/jpeg\"/><content:encoded>{cdata(para(i))}</content:encoded></item>", f"{DC} {CONTENT} {ITUNES}", "<itunes:author>Ann Lee</itunes:author>"),
    "video": atom(lambda i, t: f"<entry><id>yt:video:abc{i}</id><vid:videoId>abc{i}</vid:videoId><title>{t}</title><link rel=\"alternate\" href=\"{url(i, 'watch')}\"/><author><name>Channel</name><uri>{url(i, 'c')}</uri></author><published>{iso(i)}</published><updated>{iso(i)}</updated><media:group><media:title>{t}</media:title><media:content url=\"{url(i, 'v')}\" type=\"application/x-shockwave-flash\"/><media:thumbnail url=\"https://shore.example.org/{i}.jpg\"/><media:description>Film {i}</media:description></media:group></entry>", f'xmlns:vid="https://video.example/xml/schemas/2015" {MEDIA}'),
    "forum_atom": atom(lambda i, t: f"<entry><author><name>/u/ann</name><uri>https://forum.example.org/u/ann</uri></author><category term=\"sea\" label=\"r/sea\"/><content type=\"html\">{esc('<table><tr><td>' + para(i) + '</td></tr></table>')}</content><id>t3_1abc{i}</id><media:thumbnail url=\"https://shore.example.org/{i}.jpg\"/><link href=\"{url(i, 'r')}/\"/><updated>{iso(i)}</updated><published>{iso(i)}</published><title>{t}</title></entry>", MEDIA),
    "microblog": rss(lambda i, t: f"<item><guid isPermaLink=\"true\">{url(i, '@ann')}</guid><link>{url(i, '@ann')}</link><pubDate>{rfc822(i)}</pubDate><description>{esc(para(i))}</description><media:content url=\"https://shore.example.org/{i}.png\" type=\"image/png\" fileSize=\"1\" medium=\"image\"><media:rating scheme=\"urn:simple\">nonadult</media:rating></media:content></item>", MEDIA),
    "releases": atom(lambda i, t: f"<entry><id>tag:code.example.org,2008:Repository/1/v0.{i}</id><updated>{iso(i)}</updated><link rel=\"alternate\" type=\"text/html\" href=\"{url(i, 'releases/tag/v0')}\"/><title>v0.{i}: {t}</title><content type=\"html\">{esc('<h2>Fixed</h2><ul><li>One</li></ul>')}</content><author><name>ann</name></author><media:thumbnail height=\"30\" width=\"30\" url=\"https://shore.example.org/a.png\"/></entry>", f"{MEDIA} xml:lang=\"en-US\""),
    "commits": atom(lambda i, t: f"<entry><title>{t}</title><updated>{iso(i)}</updated><author><name>Ann Lee</name><email>ann@example.org</email></author><published>{iso(i)}</published><link rel='alternate' type='text/html' href='{url(i, 'commit')}'/><id>{url(i, 'commit')}</id><content type='text'>Body of the commit &lt;not markup&gt;</content><content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><pre>Body</pre></div></content></entry>"),
    "podcast": rss(lambda i, t: f"<item><itunes:episodeType>full</itunes:episodeType><itunes:title>{t}</itunes:title><title>{i + 1}: {t}</title><description>{cdata(para(i))}</description><itunes:summary>Plain words of {i}</itunes:summary><link>{url(i, 'ep')}</link><enclosure url=\"https://shore.example.org/{i}.mp3\" length=\"123\" type=\"audio/mpeg\"/><guid isPermaLink=\"false\">ep-{i}</guid><pubDate>{rfc822(i)}</pubDate><itunes:duration>1:02:03</itunes:duration><itunes:author>Ann Lee</itunes:author></item>", ITUNES, '<itunes:author>Ann Lee</itunes:author><itunes:owner><itunes:name>Ann</itunes:name><itunes:email>a@example.org</itunes:email></itunes:owner><itunes:image href="https://shore.example.org/c.jpg"/><image><url>https://shore.example.org/c.jpg</url><title>Shore letters</title><link>https://shore.example.org/</link></image>'),
    "discussion": rss(lambda i, t: f"<item><title>{t}</title><dc:creator>{cdata('@ann Ann Lee')}</dc:creator><category>Sea</category><description>{cdata(para(i))}</description><link>{url(i, 't')}</link><pubDate>{rfc822(i)}</pubDate><guid isPermaLink=\"false\">forum.example.org-topic-{i}</guid><source url=\"{url(i, 't')}.rss\">{t}</source></item>", f"{DC} {ATOM}"),
    "board": atom(lambda i, t: f"<entry><author><name>{cdata('ann')}</name></author><updated>{iso(i)}</updated><published>{iso(i)}</published><id>{url(i, 'viewtopic.php?t=1&amp;p=')}</id><link href=\"{url(i, 'viewtopic.php?t=1&amp;p=')}\"/><title type=\"html\">{cdata('Sea • ' + t)}</title><category term=\"Sea\" scheme=\"https://shore.example.org/f\" label=\"Sea\"/><content type=\"html\" xml:base=\"{url(i)}\">{cdata(para(i))}</content></entry>"),
    "portal": rss(lambda i, t: f"<item><title>{t}</title><link>{url(i, 'node')}</link><description>{esc('<span>' + t + '</span>' + para(i))}</description><pubDate>{rfc822(i)}</pubDate><dc:creator>ann</dc:creator><guid isPermaLink=\"false\">{i} at https://shore.example.org</guid><comments>{url(i, 'node')}#c</comments></item>", f'{DC} xml:base="https://shore.example.org/"'),
    "notes_rdf": rdf(lambda i, t: f'<item rdf:about="{url(i)}"><title>{t}</title><link>{url(i)}</link><description>{esc(para(i))}</description><dc:creator>Ann Lee</dc:creator><dc:date>{iso(i)}</dc:date><dc:subject>sea</dc:subject></item>'),
    "papers_rdf": rdf(lambda i, t: f'<item rdf:about="{url(i, "abs")}"><title>{t} (cs.SEA)</title><link>{url(i, "abs")}</link><description rdf:parseType="Literal">{esc(para(i))}</description><dc:creator>{esc("<a href=x>Ann Lee</a>")}</dc:creator></item>'),
    "adverts_rdf": rdf(lambda i, t: f'<item rdf:about="{url(i, "ad")}"><title>{cdata("Boat " + str(i) + " &#x0024;5")}</title><link>{url(i, "ad")}</link><description>{cdata("For sale")}</description><dc:date>{iso(i)[:-1]}-07:00</dc:date><dc:language>en-us</dc:language><dc:rights>none</dc:rights><dc:source>{url(i, "ad")}</dc:source><dc:title>{cdata("Boat " + str(i))}</dc:title><dc:type>text</dc:type></item>'),
    "alerts": atom(lambda i, t: f'<entry><id>tag:alerts.example.org,2013:feed:{i}</id><title type="html">{esc("Boat <b>news</b> " + str(i))}</title><link href="https://alerts.example.org/url?rct=j&amp;sa=t&amp;url={url(i)}"/><published>{iso(i)}</published><updated>{iso(i)}</updated><content type="html">{esc("All about <b>boats</b> &nbsp;...")}</content><author><name></name></author></entry>'),
    "links": rss(lambda i, t: f"<item><title>{t}</title><link>{url(i)}</link><guid isPermaLink=\"false\">https://links.example.org/s/{i}</guid><author>ann@users.example.org (ann)</author><pubDate>{rfc822(i)[:-5]}-0500</pubDate><comments>https://links.example.org/s/{i}/c</comments><description>{esc('<p><a href=x>Comments</a></p>')}</description><category>sea</category></item>"),
    "answers": atom(lambda i, t: f'<entry><id>{url(i, "q")}</id><re:rank scheme="https://answers.example.org">{i}</re:rank><title type="text">{t}</title><category scheme="x" term="sea"/><author><name>ann</name><uri>{url(i, "users")}</uri></author><link rel="alternate" href="{url(i, "q")}/slug"/><published>{iso(i)}</published><updated>{iso(i)}</updated><summary type="html">\n   {esc(para(i))}\n  </summary></entry>', 'xmlns:re="http://purl.org/atompub/rank/1.0"'),
    "wiki": atom(lambda i, t: f'<entry><id>https://wiki.example.org/index.php?title=T&amp;diff={i}</id><title>{t}</title><link rel="alternate" type="text/html" href="https://wiki.example.org/index.php?title=T&amp;diff={i}"/><updated>{iso(i)}</updated><summary type="html">{esc("<p>Edit</p><table><tr><td>-</td><td>old</td></tr></table>")}</summary><author><name>Ann</name></author></entry>', 'xml:lang="en"'),
    "tracker": rss(lambda i, t: f"<item><title>[SEA-{i}] {t}</title><link>{url(i, 'browse')}</link><project id=\"1\" key=\"SEA\">Sea</project><description>{esc(para(i))}</description><environment/><key id=\"{i}\">SEA-{i}</key><summary>{t}</summary><type id=\"1\">Bug</type><created>Tue, {rfc822(i)}</created><updated>Tue, {rfc822(i)}</updated><reporter username=\"ann\">Ann Lee</reporter></item>"),
    "weather": atom(lambda i, t: f"<entry><id>urn:oid:2.49.{i}</id><updated>{iso(i)}</updated><published>{iso(i)}</published><author><name>Met office</name></author><title>{t}</title><link href='{url(i, 'cap')}'/><summary>Wind and waves</summary><cap:event>Gale</cap:event><cap:effective>{iso(i)}</cap:effective></entry>", "xmlns:cap='urn:oasis:names:tc:emergency:cap:1.1'"),
    "quakes": atom(lambda i, t: f'<entry><id>urn:quake:{i}</id><title>M {i}.1 - near the shore</title><updated>{iso(i)}</updated><link rel="alternate" type="text/html" href="{url(i, "quake")}"/><summary type="html">{cdata("<dl><dt>Time</dt><dd>now</dd></dl>")}</summary><georss:point>1.0 2.0</georss:point><georss:elev>-10</georss:elev><category label="Age" term="Past Hour"/></entry>', 'xmlns:georss="http://www.georss.org/georss"'),
    "pictures": atom(lambda i, t: f'<entry><title>{t}</title><link rel="alternate" type="text/html" href="{url(i, "photos")}/"/><id>tag:photos.example.org,2005:/photo/{i}</id><published>{iso(i)}</published><updated>{iso(i)}</updated><dc:date.Taken>2024-09-01</dc:date.Taken><content type="html">{esc("<p><img src=x.jpg width=1 height=2></p>")}</content><author><name>Ann</name></author><link rel="enclosure" type="image/jpeg" href="https://shore.example.org/{i}.jpg"/></entry>', DC),
    "paper_news": rss(lambda i, t: f"<item><title>{t}</title><link>{url(i)}.html</link><guid isPermaLink=\"true\">{url(i)}.html</guid><atom:link href=\"{url(i)}.html\" rel=\"standout\"/><description>Plain words, no markup, of letter {i}.</description><dc:creator>Ann Lee and Bo Ray</dc:creator><pubDate>{rfc822(i)}</pubDate><category domain=\"https://shore.example.org/d\">Sea</category><media:content height=\"1\" medium=\"image\" url=\"https://shore.example.org/{i}.jpg\" width=\"1\"/><media:credit>Ann</media:credit><media:description>A boat</media:description></item>", f"{DC} {ATOM} {MEDIA}"),
    "shop": rss(lambda i, t: f"<item><title>{t}</title><link>{url(i, 'p')}</link><description>{cdata('A rope')}</description><g:id>{i}</g:id><g:price>5.00 EUR</g:price><g:image_link>https://shore.example.org/{i}.jpg</g:image_link></item>", 'xmlns:g="http://base.google.com/ns/1.0"'),
    "builds": atom(lambda i, t: f"<entry><title>job #{i} (stable)</title><link rel=\"alternate\" type=\"text/html\" href=\"{url(i, 'job')}/\"/><id>tag:ci.example.org,2024:job:{i}</id><published>{iso(i)}</published><updated>{iso(i)}</updated></entry>", head="<author><name>CI</name></author>"),
}

DAMAGE = {
    "whole": lambda text: text.encode(),
    "cut": lambda text: text[:int(len(text) * 0.8)].encode(),
    "latin": lambda text: text.encode("windows-1252", "xmlcharrefreplace"),
    "bare": lambda text: text.replace("&amp;", "&", 3).encode(),
    "junk": lambda text: b"\r\n<!-- cache miss -->\r\n" + text.encode() + b"\n<!-- 0.1 s -->",
    "entity": lambda text: text.replace("coast", "coast &nbsp;&eacute;t&eacute;", 1).replace("The long quay", "The long&nbsp;quay").encode(),
}


def write(folder):
    os.makedirs(folder, exist_ok=True)
    index = []
    for name, text in SHAPES.items():
        for kind, damage in DAMAGE.items():
            path = os.path.join(folder, f"{name}-{kind}.xml")
            open(path, "wb").write(damage(text))
            index.append({"id": f"{name}-{kind}", "path": os.path.abspath(path), "headers": {}, "base_uri": "https://shore.example.org/feed"})
    json.dump(index, open(os.path.join(folder, "index.json"), "w"))
    print(len(index), "feeds")


if __name__ == "__main__":
    write(sys.argv[2])
