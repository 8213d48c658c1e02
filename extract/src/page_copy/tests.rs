//! Copies of hostile pages.

use super::*;

/// Picture of one pixel.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0";

fn resource(url: &str, media_type: &str, bytes: &[u8]) -> PageResource {
    let (url, media_type) = (url.to_owned(), media_type.to_owned());
    PageResource { final_url: url.clone(), url, media_type, bytes: bytes.to_vec() }
}

fn source(html: &str, resources: Vec<PageResource>) -> PageSource {
    PageSource {
        url: "https://a.example/page".to_owned(),
        base_url: "https://a.example/page".to_owned(),
        date: "2026-11-27".to_owned(),
        html: html.to_owned(),
        resources,
        is_cut: false,
    }
}

/// Copy of a body without files.
fn copy_of(body: &str) -> String {
    create(&source(&format!("<!doctype html><html><head></head><body>{body}</body></html>"), Vec::new()))
        .unwrap()
        .html
}

#[test]
fn copy_has_its_policy_before_all_content_and_names_its_page() {
    let html = copy_of("<p>Text</p>");
    assert!(
        html.starts_with("\u{feff}<!doctype html><html><head><meta charset=\"utf-8\"><meta http-equiv="),
        "{html}"
    );
    assert!(html.contains(POLICY) && html.contains("<p>Text</p>"), "{html}");
    assert!(html.contains("Copy of https://a.example/page from 2026-11-27.</div>"), "{html}");
}

#[test]
fn styles_pictures_and_fonts_are_inlined() {
    let html = "<!doctype html><html><head><link rel=stylesheet href=/s/a.css media=print><style>\
        @font-face{font-family:f;src:url(/f.woff2) format(\"woff2\")} .x{background:url(/s/p.png)} \
        .y{background:image-set(\"/s/p.png\" 1x)}</style></head>\
        <body><img src=\"/s/p.png\" srcset=\"/big.png 2x\" alt=A><p style=\"background:url('s/p.png')\">B</p></body></html>";
    let files = vec![
        resource(
            "https://a.example/s/a.css",
            "text/css",
            b"@charset \"utf-8\";@import 'b.css' screen;h1{color:red}",
        ),
        resource("https://a.example/s/b.css", "text/css", b"h2{background:url(p.png)}"),
        resource("https://a.example/s/p.png", "image/png", PNG),
        resource("https://a.example/f.woff2", "font/woff2", b"wOF2rest"),
    ];
    let copy = create(&source(html, files)).unwrap();
    let text = &copy.html;
    assert_eq!(copy.omissions, Omissions::default(), "{text}");
    assert!(text.contains("<style media=\"print\">@media screen{h2{background:var(--carrel-picture-0)}}h1{color:red}</style>"), "{text}");
    assert!(text.contains("src:url(\"data:font/woff2;base64,d09GMnJlc3Q=\") format(\"woff2\")"), "{text}");
    assert!(text.contains(".y{background:image-set(var(--carrel-picture-0) 1x)}"), "{text}");
    assert!(text.contains("<p style=\"background:var(--carrel-picture-0)\">"), "{text}");
    assert!(text.contains("<img src=\"data:image/png;base64,"), "{text}");
    assert_eq!(text.matches("data:image/png").count(), 2, "one element and one variable: {text}");
    assert!(!text.contains("/big.png") && !text.contains("<link"), "{text}");
}

#[test]
fn files_of_a_redirected_style_sheet_are_relative_to_its_final_url() {
    let mut sheet = resource("https://a.example/a.css", "text/css", b"p{background:url(p.png)}");
    sheet.final_url = "https://b.example/2/a.css".to_owned();
    let files = vec![sheet, resource("https://b.example/2/p.png", "image/png", PNG)];
    let page = "<html><head><link rel=stylesheet href=/a.css><link rel=stylesheet href=https://b.example/2/a.css>\
        </head><body>x</body></html>";
    let copy = create(&source(page, files)).unwrap();
    let style = "<style>p{background:var(--carrel-picture-0)}</style>";
    assert_eq!(copy.html.matches(style).count(), 2, "{}", copy.html);
    assert_eq!(copy.omissions, Omissions::default());
}

#[test]
fn hostile_markup_cannot_load_or_run_anything() {
    for body in [
        "<script>alert(1)</script>",
        "<svg><script>alert(1)</script><a xlink:href=\"javascript:alert(1)\"><text>x</text></a></svg>",
        "<svg onload=alert(1)><animate attributeName=href to=javascript:alert(1) /><set attributeName=onload to=alert(1) /></svg>",
        "<svg><use href=\"https://evil.example/x.svg#a\"/><image href=\"https://evil.example/p.png\"/></svg>",
        "<svg><style>@import url(https://evil.example/a.css);</style></svg>",
        "<svg><foreignObject><iframe srcdoc=\"<script>alert(1)</script>\"></iframe></foreignObject></svg>",
        "<math><annotation-xml encoding=\"text/html\"><img src=x onerror=alert(1)></annotation-xml></math>",
        "<iframe srcdoc=\"<script>alert(1)</script>\"></iframe><iframe src=https://evil.example/></iframe>",
        "<object data=\"data:text/html,<script>alert(1)</script>\"></object><embed src=javascript:alert(1)>",
        "<base href=https://evil.example/><img src=a.png>",
        "<link rel=preload href=https://evil.example/a.js as=script><link rel=stylesheet href=https://evil.example/a.css>",
        "<link rel=dns-prefetch href=https://evil.example><link rel=modulepreload href=https://evil.example/m.js>",
        "<meta http-equiv=refresh content=\"0;url=https://evil.example/\">",
        "<template><img src=x onerror=alert(1)></template><noscript><img src=https://evil.example/p></noscript>",
        "<div><template shadowrootmode=open><script>alert(1)</script><img src=x onerror=alert(1)></template></div>",
        "<a href=\"java\tscript:alert(1)\">a</a><a href=\"data:text/html,<script>alert(1)</script>\">b</a>",
        "<a href=\" javascript:alert(1)\" ping=https://evil.example/ onclick=alert(1)>c</a>",
        "<form action=https://evil.example/ method=post><button formaction=https://evil.example/>d</button></form>",
        "<img src=https://evil.example/p.png srcset=\"https://evil.example/q.png 2x\" onerror=alert(1)>",
        "<img src=\"data:text/html,<script>alert(1)</script>\"><img src=javascript:alert(1)>",
        "<video src=https://evil.example/v poster=https://evil.example/p><source src=https://evil.example/w></video>",
        "<audio><track src=https://evil.example/t></audio><picture><source srcset=https://evil.example/p></picture>",
        "<body background=https://evil.example/p onpageshow=alert(1)><table background=https://evil.example/q></table>",
        "<p style=\"background:url(https://evil.example/p)\">e</p><p style=\"width:expression(alert(1))\">f</p>",
        "<style>@import 'https://evil.example/a.css';@import url(https://evil.example/b.css) screen;</style>",
        "<style>p{background:u\\72l(https://evil.example/p);-moz-binding:url(https://evil.example/x#y)}</style>",
        "<style>p{width:expression(url(https://evil.example/p));color:red}</style>",
        "<style>p{behavior:url(https://evil.example/x);content:image-set('https://evil.example/p' 1x)}</style>",
        "<style>p{background:image-set(var(--no, 'https://evil.example/p') 1x, if(else: 'https://evil.example/q') 2x)}</style>",
        "<style>p{background:image-set(calc('https://evil.example/p') 1x)}</style>",
        "<style>@font-face{src:url(https://evil.example/f)} @namespace url(https://evil.example/n);</style>",
        "<style>p{--x:url(https://evil.example/p)} a{cursor:url('https://evil.example/c'),auto}</style>",
        "<svg><rect fill=\"url(https://evil.example/p#a)\" filter='url(\"https://evil.example/f\")'/></svg>",
        "<xmp><script>alert(1)</script></xmp><noembed><script>alert(1)</script></noembed>",
        "<textarea></textarea><script>alert(1)</script><title></title><style></style><script>alert(1)</script>",
        "<portal src=https://evil.example/></portal><applet code=x archive=https://evil.example/></applet>",
        "<x-a is=https://evil.example/ onfocus=alert(1) autofocus tabindex=1>g</x-a>",
    ] {
        let html = copy_of(body).to_ascii_lowercase();
        for refused in [
            "<script", "evil.example", "javascript:", " on", "srcdoc", "<iframe", "<base", "refresh",
            "expression", "data:text", "<object", "<embed", "<noscript", "<animate", "<set", "<link",
            "action=",
        ] {
            let body_start = html.find("<body").unwrap();
            assert!(!html[body_start..].contains(refused), "{refused}: {body}\n{html}");
        }
    }
}

#[test]
fn style_cannot_leave_its_element() {
    let html =
        copy_of("<style>p::after{content:'\\3c /style><script>alert(1)</script>'} /* </style> */</style>");
    assert!(!html.contains("<script"), "{html}");
    let files = vec![resource(
        "https://a.example/a.css",
        "text/css",
        b"p::after{content:\"</style><script>alert(1)</script>\"} p{color:red",
    )];
    let page = "<html><head><link rel=stylesheet href=/a.css></head><body>x</body></html>";
    let html = create(&source(page, files)).unwrap().html;
    assert!(html.contains("\"\\3c /style>\\3c script>alert(1)\\3c /script>\""), "{html}");
    assert!(html.contains("p{color:red}</style>"), "{html}");
}

#[test]
fn style_cannot_contain_the_start_of_a_tag() {
    let css = "@media (width<=9px){p{color:red}} a<b{} p<!--x{} .\\<img{width:1\\<img} a</b{} \\<url('x'){}";
    let html = copy_of(&format!("<style>{css}</style>"));
    let style = html.split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
    assert!(style.contains("@media (width<=9px){p{color:red}}"), "{style}");
    assert!(style.contains(".\\3c img{width:1\\3c img}"), "{style}");
    for (at, _) in style.match_indices('<') {
        assert!(style[at + 1..].starts_with([' ', '=']), "{style}");
    }
    let files = vec![resource("https://a.example/b.css", "text/css", b"h2{color:red}")];
    let page = "<style>@import 'b.css' (width<img);@import 'b.css' (width <= 9px);</style>";
    let html = create(&source(&format!("<html><body>{page}</body></html>"), files)).unwrap().html;
    assert!(html.contains("<style>h2{color:red}@media (width <= 9px){h2{color:red}}</style>"), "{html}");
}

#[test]
fn vector_graphic_is_inlined_without_scripts_and_references() {
    let svg = b"<?xml version=\"1.0\"?><!DOCTYPE svg [<!ENTITY x \"y\">]><svg xmlns=\"http://www.w3.org/2000/svg\" \
        viewBox=\"0 0 9 9\" onload=\"alert(1)\"><script>alert(1)</script><a href=\"javascript:alert(1)\"><rect \
        width=\"9\" fill=\"url(#g)\"/></a><foreignObject><p>x</p></foreignObject><image href=\"https://evil.example/p\"/></svg>";
    let files = vec![resource("https://a.example/v.svg", "image/svg+xml", svg)];
    let copy = create(&source("<html><body><img src=/v.svg></body></html>", files)).unwrap();
    assert_eq!(copy.omissions, Omissions::default());
    let encoded = copy.html.split("data:image/svg+xml;base64,").nth(1).unwrap().split('"').next().unwrap();
    let decoded = String::from_utf8(data_encoding::BASE64.decode(encoded.as_bytes()).unwrap()).unwrap();
    assert_eq!(
        decoded,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><a><rect width=\"9\" \
         fill=\"url(#g)\"></rect></a><image></image></svg>"
            .replace("url(#g)", "url(&quot;#g&quot;)")
    );
}

#[test]
fn frame_and_shadow_root_have_their_own_styles_and_base() {
    let body = "<div><template shadowrootmode=\"open\" data-carrel-base=\"https://b.example/f/\"><style>p{color:green}</style>\
        <p>In the frame</p><img src=p.png></template></div><a href=\"#top\">up</a><a href=\"other\">other</a>";
    let files = vec![resource("https://b.example/f/p.png", "image/png", PNG)];
    let copy = create(&source(&format!("<html><body>{body}</body></html>"), files)).unwrap();
    let html = &copy.html;
    assert!(html.contains("<template shadowrootmode=\"open\"><style>p{color:green}</style>"), "{html}");
    assert!(html.contains("<p>In the frame</p><img src=\"data:image/png;base64,"), "{html}");
    assert!(
        html.contains("<a href=\"#top\">") && html.contains("<a href=\"https://a.example/other\">"),
        "{html}"
    );
    assert_eq!(copy.omissions, Omissions::default(), "{html}");
}

#[test]
fn omitted_content_is_stated_in_the_copy() {
    let body = "<img src=/a.png><img src=/b.png><video></video><iframe src=https://b.example/></iframe>";
    let mut page = source(&format!("<html><body>{body}</body></html>"), Vec::new());
    page.is_cut = true;
    let copy = create(&page).unwrap();
    assert_eq!(
        copy.omissions,
        Omissions { pictures: 2, media: 1, frames: 1, is_cut: true, ..Omissions::default() }
    );
    let statement = "Left out: 2 pictures, 1 audio or video, 1 frame or object. \
                     The page may be incomplete, because it reached a limit.";
    assert_eq!(copy.omissions.statement().as_deref(), Some(statement));
    assert!(copy.html.contains(statement), "{}", copy.html);
}

#[test]
fn files_beyond_the_limits_are_omitted() {
    let mut large = PNG.to_vec();
    large.resize(8 << 20, 0);
    let files = vec![resource("https://a.example/p.png", "image/png", &large)];
    let body = "<img src=/p.png>".repeat(3);
    let copy = create(&source(&format!("<html><body>{body}</body></html>"), files)).unwrap();
    assert_eq!(copy.html.matches("data:image/png").count(), 1);
    assert_eq!(copy.omissions.pictures, 2);
}

#[test]
fn style_picture_in_a_vector_graphic_is_not_moved_to_a_variable() {
    let data = data_encoding::BASE64.encode(PNG);
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><rect style=\"mask:url(data:image/png;base64,{data})\"/></svg>"
    );
    let files = vec![resource("https://a.example/v.svg", "image/svg+xml", svg.as_bytes())];
    let copy = create(&source("<html><body><img src=/v.svg></body></html>", files)).unwrap();
    let encoded = copy.html.split("data:image/svg+xml;base64,").nth(1).unwrap().split('"').next().unwrap();
    let decoded = String::from_utf8(data_encoding::BASE64.decode(encoded.as_bytes()).unwrap()).unwrap();
    assert!(decoded.contains(&format!("mask:url(&quot;data:image/png;base64,{data}&quot;)")), "{decoded}");
}

#[test]
fn large_style_picture_is_not_moved_to_a_variable() {
    let mut large = PNG.to_vec();
    large.resize(1 << 20, 0);
    let files = vec![resource("https://a.example/p.png", "image/png", &large)];
    let page = "<html><body><p style=\"background:url(/p.png)\">x</p></body></html>";
    let copy = create(&source(page, files)).unwrap();
    assert!(copy.html.contains("<p style=\"background:url(&quot;data:image/png;base64,"));
    assert!(!copy.html.contains("--carrel-picture-"));
}

#[test]
fn vector_graphics_beyond_the_limit_are_not_parsed() {
    let svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\"><!--{}--></svg>", "x".repeat(1_000_000));
    let files = vec![resource("https://a.example/v.svg", "image/svg+xml", svg.as_bytes())];
    let body = "<img src=/v.svg>".repeat(30);
    let copy = create(&source(&format!("<html><body>{body}</body></html>"), files)).unwrap();
    assert_eq!(copy.html.matches("data:image/svg").count(), 20);
    assert_eq!(copy.omissions.pictures, 10);
}

#[test]
fn unknown_fonts_and_missing_imported_styles_are_stated_in_the_copy() {
    let files = vec![resource("https://a.example/f", "font/woff2", b"no font")];
    let page = "<style>@import 'missing.css';@font-face{font-family:f;src:url(/f)}</style>";
    let copy = create(&source(&format!("<html><body>{page}</body></html>"), files)).unwrap();
    assert_eq!(copy.omissions, Omissions { fonts: 1, styles: 1, ..Omissions::default() });
    assert!(copy.html.contains("Left out: 1 font, 1 style sheet."), "{}", copy.html);
}

#[test]
fn circular_imports_of_style_sheets_are_stopped() {
    let files =
        vec![resource("https://a.example/a.css", "text/css", "@import 'a.css';".repeat(100).as_bytes())];
    let page = "<html><head><link rel=stylesheet href=/a.css></head><body>x</body></html>";
    let copy = create(&source(page, files)).unwrap();
    assert!(copy.omissions.styles > 0);
    let deep = format!("<style>p{{width:{}1px{}}}</style>", "calc(".repeat(500), ")".repeat(500));
    assert!(copy_of(&deep).contains("style sheet"));
}

#[test]
fn passwords_and_values_of_hidden_fields_are_omitted() {
    let html = copy_of(
        "<input type=password value=heron><input type=HIDDEN value=token><input type=submit value=Send><input value=Ada>",
    );
    assert!(!html.contains("heron") && !html.contains("token"), "{html}");
    assert!(html.contains("value=\"Send\"") && html.contains("value=\"Ada\""), "{html}");
}

#[test]
fn empty_and_missing_pictures_are_counted_as_omitted() {
    let data = data_encoding::BASE64.encode(PNG);
    let page = format!(
        "<style>p{{background:url(data:,)}} q{{background:url(data:image/png;base64,{data})}}</style>\
         <img src=\"data:image/png;base64,{data}\"><img src=https://b.example/p.png>"
    );
    let copy = create(&source(&format!("<html><body>{page}</body></html>"), Vec::new())).unwrap();
    assert_eq!(copy.omissions, Omissions { pictures: 2, ..Omissions::default() }, "{}", copy.html);
    assert_eq!(copy.html.matches(&data).count(), 2, "{}", copy.html);
}
