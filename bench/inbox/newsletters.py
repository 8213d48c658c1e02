"""Generated newsletters with their known text: charsets, nested multipart, calendars, Outlook HTML, broken MIME.

`all_messages(seed)` yields 200 tuples of a kind, the raw message, and the words that a reader must see. Everything is
written here; nothing is copied from real mail. Hidden preheaders, tracking pixels, styles, scripts and plain-text
alternatives are not part of the known text.
"""

import base64
import quopri
import random

WORDS = {
    "latin": "the harbour wakes before the town and boats leave with the tide while lamps are lit along the quay "
             "every keeper counts ships at dawn and writes the number into a long green ledger by the window".split(),
    "western": "über die Brücke fährt ein Zug früh am Morgen größere Straßen führen schließlich zur Küste "
               "où l'été s'achève près du phare déjà éclairé señores años después corazón".split(),
    "cyrillic": "маяк на берегу моря светит каждую ночь старый смотритель пишет в книгу имена кораблей".split(),
    "japanese": "灯台 港 船 夜明け 海 町 朝 手紙 窓 記録".split(),
    "chinese": "灯塔 港口 船只 黎明 大海 小镇 早晨 信件 窗户 记录".split(),
    "korean": "등대 항구 배 새벽 바다 마을 아침 편지 창문 기록".split(),
    "greek": "ο φάρος φωτίζει τη θάλασσα κάθε νύχτα και το λιμάνι ξυπνά νωρίς".split(),
}
CHARSETS = [
    ("utf-8", "latin"), ("utf-8", "western"), ("windows-1252", "western"), ("iso-8859-1", "western"),
    ("koi8-r", "cyrillic"), ("windows-1251", "cyrillic"), ("iso-2022-jp", "japanese"), ("shift_jis", "japanese"),
    ("euc-jp", "japanese"), ("gb18030", "chinese"), ("gbk", "chinese"), ("euc-kr", "korean"), ("iso-8859-7", "greek"),
    ("us-ascii", "latin"),
]
PIXEL = '<img src="https://t.example/open?id=%d" width="1" height="1" alt="">'


def paragraphs(rng, script, count):
    return [" ".join(rng.choices(WORDS[script], k=rng.randint(12, 30))) for _ in range(count)]


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def head(rng, number, extra=""):
    return (f"Received: from out.lamps.example by mx.example.net; Fri, 03 May 2024 10:00:00 +0200\r\n"
            f"From: =?utf-8?q?Lamps_Weekly?= <news@lamps.example>\r\nTo: reader@in.example.org\r\n"
            f"Subject: Issue {number}\r\nMessage-ID: <{number}.{rng.random()}@lamps.example>\r\n"
            f"Date: Fri, 03 May 2024 10:00:00 +0200\r\nList-Id: Lamps <weekly.lamps.example>\r\n{extra}").encode()


def encoded(data, encoding):
    if encoding == "base64":
        return base64.encodebytes(data).replace(b"\n", b"\r\n")
    if encoding == "quoted-printable":
        return quopri.encodestring(data).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    return data


def part(kind, data, charset=None, encoding="base64", more=""):
    kind = f'{kind}; charset="{charset}"' if charset else kind
    return (f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n{more}\r\n").encode() + \
        encoded(data, encoding)


def multipart(kind, parts, boundary, close=True):
    out = f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n\r\n'.encode()
    for inner in parts:
        out += f"--{boundary}\r\n".encode() + inner + b"\r\n"
    return out + (f"--{boundary}--\r\n".encode() if close else b"")


def layout(texts, rng, number):
    """HTML of a newsletter service: nested tables, a hidden preheader, buttons, a footer, and a tracking pixel."""
    rows = "".join(f'<tr><td style="padding:12px"><p style="margin:0">{escape(text)}</p></td></tr>' for text in texts)
    return (f'<!doctype html><html><head><title>x</title><style>p{{color:#333}} .x{{display:none}}</style></head><body>'
            f'<div style="display:none;max-height:0;overflow:hidden">hidden preheader words {number}</div>'
            f'<table role="presentation" width="100%"><tr><td align="center"><table width="600">{rows}</table></td></tr>'
            f'</table>{PIXEL % number}</body></html>')


def outlook(texts, number):
    rows = "".join(f'<p class=MsoNormal><span lang=EN-US style=\'font-family:"Calibri",sans-serif\'>{escape(text)}'
                   f'<o:p></o:p></span></p>' for text in texts)
    return (f'<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:v="urn:schemas-microsoft-com:vml"><head>'
            f'<!--[if gte mso 9]><xml><o:OfficeDocumentSettings/></xml><![endif]--><style><!-- p.MsoNormal {{margin:0}} -->'
            f'</style></head><body lang=EN-US><div class=WordSection1><!--[if mso]><table><tr><td>only in word</td></tr>'
            f'</table><![endif]-->{rows}<p class=MsoNormal><o:p>&nbsp;</o:p></p></div>{PIXEL % number}</body></html>')


def charset_message(rng, number):
    charset, script = CHARSETS[number % len(CHARSETS)]
    texts = paragraphs(rng, script, 4)
    is_html = number % 2 == 0
    data = layout(texts, rng, number) if is_html else "\r\n\r\n".join(texts)
    encoding = ["base64", "quoted-printable", "8bit"][number % 3]
    if charset == "iso-2022-jp" and encoding == "8bit":
        encoding = "7bit"
    body = part("text/html" if is_html else "text/plain", data.encode(charset, "replace"), charset, encoding)
    return "charset", head(rng, number, "MIME-Version: 1.0\r\n") + body, texts


def alternative(rng, number):
    texts = paragraphs(rng, "western", 5)
    plain = part("text/plain", b"Only shown by old programs.", "utf-8", "quoted-printable")
    rich = part("text/html", layout(texts, rng, number).encode(), "utf-8", "quoted-printable")
    return "alternative", head(rng, number) + multipart("alternative", [plain, rich], f"a{number}"), texts


def nested(rng, number):
    texts = paragraphs(rng, "latin", 4)
    rich = part("text/html", layout(texts, rng, number).encode(), "utf-8", "base64")
    plain = part("text/plain", b"Only shown by old programs.", "utf-8", "7bit")
    inner = multipart("related", [rich, part("image/png", b"\x89PNG\r\n\x1a\n" + bytes(64), more="Content-ID: <p@x>\r\n")], "r")
    for level in range(number % 5):
        inner = multipart("mixed", [inner], f"m{level}")
    return "nested", head(rng, number) + multipart("alternative", [plain, inner], "alt"), texts


def calendar(rng, number):
    texts = paragraphs(rng, "latin", 3)
    rich = part("text/html", layout(texts, rng, number).encode(), "utf-8", "quoted-printable")
    event = b"BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nSUMMARY:Reading\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    parts = [part("text/plain", b"Only shown by old programs.", "utf-8", "7bit"), rich,
             part("text/calendar; method=REQUEST", event, "utf-8", "7bit")]
    return "calendar", head(rng, number) + multipart("alternative", parts, "cal"), texts


def outlook_message(rng, number):
    texts = paragraphs(rng, "western", 5)
    charset = ["windows-1252", "utf-8", "us-ascii"][number % 3]
    data = outlook(texts, number).encode(charset, "xmlcharrefreplace")
    return "outlook", head(rng, number) + part("text/html", data, charset, "quoted-printable"), texts


def flowed(rng, number):
    texts = paragraphs(rng, "latin", 4)
    lines = []
    for text in texts:
        words = text.split()
        lines += [" ".join(words[at:at + 9]) + " " for at in range(0, len(words), 9)] + [""]
    return "flowed", head(rng, number) + part("text/plain; format=flowed", "\r\n".join(lines).encode(), "utf-8", "7bit"), texts


def broken(rng, number):
    texts = paragraphs(rng, "western", 4)
    html = layout(texts, rng, number)
    way = number % 8
    rich = part("text/html", html.encode(), "utf-8", "quoted-printable")
    if way == 0:  # the last boundary is missing
        raw = head(rng, number) + multipart("mixed", [rich], "cut", close=False)
    elif way == 1:  # bare line feeds
        raw = (head(rng, number) + rich).replace(b"\r\n", b"\n")
    elif way == 2:  # no charset, bytes of another one
        raw = head(rng, number) + part("text/html", html.encode("windows-1252", "replace"), None, "8bit")
    elif way == 3:  # a charset that does not exist
        raw = head(rng, number) + part("text/html", html.encode(), "utf-9000", "8bit")
    elif way == 4:  # the type is in upper case and the boundary has spaces
        raw = head(rng, number) + b'CONTENT-TYPE: MULTIPART/MIXED;\r\n\tBOUNDARY="two words"\r\n\r\n--two words\r\n' + \
            rich + b"\r\n--two words--\r\n"
    elif way == 5:  # base64 with noise
        noisy = base64.encodebytes(html.encode()).replace(b"\n", b" \r\n!\r\n")
        raw = head(rng, number) + b"Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n" + noisy
    elif way == 6:  # unencoded characters in the header
        raw = head(rng, number, "X-Note: größer\r\n") + rich
    else:  # a multipart whose boundary does not occur
        raw = head(rng, number) + b"Content-Type: multipart/alternative; boundary=lost\r\n\r\n" + "\r\n\r\n".join(texts).encode()
    return "broken", raw, texts


def without_text(rng, number):
    if number % 2:
        raw = part("application/pdf; name=scan.pdf", b"%PDF-1.4", more="Content-Disposition: attachment; filename=scan.pdf\r\n")
    else:
        raw = multipart("mixed", [part("image/png; name=scan.pdf", b"\x89PNG\r\n\x1a\n" + bytes(64))], "only")
    return "no text", head(rng, number) + raw, ["Attachments: scan.pdf"]


def attached(rng, number, size=200_000):
    texts = paragraphs(rng, "latin", 4)
    rich = part("text/html", layout(texts, rng, number).encode(), "utf-8", "base64")
    file = part("application/octet-stream; name=film.bin", rng.randbytes(size),
                more="Content-Disposition: attachment; filename=film.bin\r\n")
    return "attached" if size < 1_000_000 else "25 MB", head(rng, number) + multipart("mixed", [rich, file], "att"), \
        texts + ["Attachments: film.bin"]


def all_messages(seed):
    rng = random.Random(seed)
    plan = [(charset_message, 56), (alternative, 24), (nested, 24), (calendar, 16), (outlook_message, 24), (flowed, 12),
            (broken, 24), (without_text, 8), (attached, 10)]
    number = 0
    for make, count in plan:
        for _ in range(count):
            number += 1
            yield make(rng, number)
    for _ in range(2):
        number += 1
        yield attached(rng, number, 18_500_000)
