//! Images that are not blocks: their selection, and the blocks to which they are attached.

use super::*;

/// Text of each block with the images attached to it: `<` precedes an image before the block, `>` an image
/// after the block.
fn rendered(body: &str) -> Vec<String> {
    let render_block = |block: &Block| {
        let of = |mark: &str, after: bool| -> String {
            let names = block.pictures.iter().filter(|picture| picture.after == after);
            let name = |picture: &crate::document::Picture| {
                let (_, name) = picture.src.rsplit_once('/').unwrap();
                format!(
                    "{mark}{name}{}",
                    picture.alt.as_deref().map(|alt| format!("({alt})")).unwrap_or_default()
                )
            };
            names.map(name).collect()
        };
        format!("{} {} {}", of("<", false), block.text, of(">", true)).trim().to_owned()
    };
    blocks_of(body).iter().map(render_block).collect()
}

#[test]
fn image_without_text_is_attached_to_a_block() {
    let body = "<img src=/lead.jpg><h1>Title</h1><p>One</p><p><img src=a.png alt=''></p><p>Two <img src=b.webp> goes \
        on</p><figure><img src=c.jpg></figure><ul><li><img src=d.jpg alt=Harbour> Item</ul><img src=e.jpg alt=DSC1.JPG>";
    assert_eq!(
        rendered(body),
        ["Title", "<lead.jpg One >a.png", "Two goes on >b.webp>c.jpg", "<d.jpg(Harbour) Item >e.jpg"]
    );
    let without = "<h1>Title</h1><p>One</p><p>Two goes on</p><ul><li>Item</ul>";
    assert_eq!(texts(body), texts(without));
}

#[test]
fn images_with_meaningful_text_become_blocks() {
    let blocks = blocks_of("<p>One</p><img src=a.png alt='The harbour at noon'><img src=a.png>");
    assert_eq!((blocks.len(), blocks[1].kind), (2, BlockKind::Figure));
    assert!(blocks.iter().all(|block| block.pictures.is_empty()), "a picture occurs once");
}

#[test]
fn icons_decorations_and_trackers_are_dropped() {
    for image in [
        "<img src=a.png width=1 height=1>",
        "<img src=a.png width=32>",
        "<img src=a.png style='height: 16px'>",
        "<img src=data:image/gif;base64,R0lGODlhAQABAAAAACw=>",
        "<img src=/images/spacer.gif>",
        "<img src=/images/site-logo.png>",
        "<img src=a.svg>",
        "<img src=https://pixel.example.org/hit.gif?x=1>",
        "<img src=a.png class='author-avatar'>",
        "<span class='social-icons'><img src=a.png></span>",
        "<img src=a.png role=presentation>",
        "<img src=a.png aria-hidden=true>",
        "<img>",
    ] {
        assert_eq!(rendered(&format!("<p>One</p>{image}<p>Two</p>")), ["One", "Two"], "{image}");
    }
    assert_eq!(rendered("<h2><img src=a.png>Title</h2><p>One</p>"), ["Title", "One"]);
}

#[test]
fn lazy_image_has_the_url_from_which_it_is_loaded() {
    let body = "<p>One</p><img src='data:image/gif;base64,R0lGODlhAQABAAAAACw=' data-src=late.jpg>\
        <picture><source srcset=x.webp><img srcset='small.jpg 400w, large.jpg 1200w'></picture>";
    assert_eq!(rendered(body), ["One >late.jpg>large.jpg"]);
    let flood: Vec<String> = (0..500).map(|n| format!("<img src={n}.png>")).collect();
    let flood = flood.concat();
    assert_eq!(blocks_of(&format!("<p>One</p>{flood}"))[0].pictures.len(), 100);
    assert!(blocks_of("<img src=a.png>").is_empty());
}

fn markdown(body: &str) -> String {
    crate::render::markdown(&blocks_of(body)).trim_end().to_owned()
}

#[test]
fn markdown_contains_all_images_and_their_links() {
    for (body, expected) in [
        ("<p>One</p><p><img src=a.jpg width=800></p>", "One\n\n![](https://a.example/dir/a.jpg)"),
        ("<p>One</p><img src=a.jpg alt=Ship>", "One\n\n![Ship](https://a.example/dir/a.jpg)"),
        (
            "<p>Words <img src=a.jpg alt='Ship at sea'> go on.</p>",
            "Words go on.\n\n![Ship at sea](https://a.example/dir/a.jpg)",
        ),
        (
            "<p>One</p><a href=/big.jpg><img src=a.jpg alt='Ship at sea'></a>",
            "One\n\n[![Ship at sea](https://a.example/dir/a.jpg)](https://a.example/big.jpg)",
        ),
        (
            "<p>One</p><a href=/big.jpg><img src=a.jpg></a>",
            "One\n\n[![](https://a.example/dir/a.jpg)](https://a.example/big.jpg)",
        ),
        (
            "<ul><li>One <img src=a.jpg></li><li>Two</li></ul>",
            "- One  \n  ![](https://a.example/dir/a.jpg)\n- Two",
        ),
        (
            "<table><tr><th>a<th>b<tr><td>1 <img src=a.jpg alt='Ship at sea'><td>2</table>",
            "| a | b |\n| --- | --- |\n| 1 | 2 |\n\n![Ship at sea](https://a.example/dir/a.jpg)",
        ),
        ("<p>One <img src=a.png width=16 height=16> two</p>", "One two"),
        ("<p>One <img src=a.png alt=😀> two</p>", "One 😀 two"),
        ("<p>One</p><img src=a.jpg alt=Sea>", "One\n\n![Sea](https://a.example/dir/a.jpg)"),
        ("<p>One</p><img src=a.jpg alt=x width=640 height=480>", "One\n\n![x](https://a.example/dir/a.jpg)"),
        ("<p>One</p><img src=a.svg width=600 height=400>", "One\n\n![](https://a.example/dir/a.svg)"),
    ] {
        assert_eq!(markdown(body), expected, "{body}");
    }
}

#[test]
fn image_without_src_has_the_url_of_its_srcset_picture_or_noscript() {
    let empty = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
    let noscript_copy = "<noscript><img alt='A ship at sea' src=a.jpg></noscript>";
    for image in [
        format!("<img src='{empty}' data-srcset='s.jpg 320w, a.jpg 1200w'>"),
        "<img srcset='a.jpg 2x, s.jpg 1x'>".to_owned(),
        "<img src=/img/placeholder.gif data-lazy-srcset='a.jpg 1200w'>".to_owned(),
        format!("<picture><source srcset='s.jpg 1x, a.jpg 2x'><img src='{empty}'></picture>"),
        format!("<span><img src='{empty}'>{noscript_copy}</span>"),
        format!("<span><span><img src='{empty}'></span>{noscript_copy}</span>"),
        format!("<div class=lazy></div>{noscript_copy}"),
        format!("<img src='{empty}' data-full-url=a.jpg>"),
        "<img data-src=a.jpg src=s.jpg><noscript><img src=a.jpg></noscript>".to_owned(),
        "<amp-img src=a.jpg></amp-img>".to_owned(),
    ] {
        let blocks = blocks_of(&format!("<p>One</p>{image}"));
        let pictures = blocks.iter().flat_map(|block| &block.pictures).map(|picture| picture.src.as_str());
        let sources: Vec<&str> =
            pictures.chain(blocks.iter().filter_map(|block| block.src.as_deref())).collect();
        assert_eq!(sources, ["https://a.example/dir/a.jpg"], "{image}");
    }
    let counted = "<p>One</p><noscript><img src='https://s.example/p?c1=2'></noscript>";
    assert_eq!(markdown(counted), "One");
}

#[test]
fn figure_contains_all_images_and_its_video() {
    for (body, expected) in [
        (
            "<figure><img src=a.png alt='first one'><img src=b.png alt='second one'><figcaption>Two of them.</figcaption></figure>",
            "![first one](https://a.example/dir/a.png)\n\nTwo of them.\n\n![second one](https://a.example/dir/b.png)",
        ),
        (
            "<figure><div><a href=/x><img src=a.png alt=one></a></div><div><img src=b.png></div><figcaption>Two.</figcaption></figure>",
            "[![one](https://a.example/dir/a.png)](https://a.example/x)\n\nTwo.\n\n![](https://a.example/dir/b.png)",
        ),
        (
            "<figure><img src=a.png alt=A><noscript><img src=a.png alt=A></noscript><figcaption>One.</figcaption></figure>",
            "![A](https://a.example/dir/a.png)\n\nOne.",
        ),
        (
            "<figure><iframe src=https://www.youtube.com/embed/abc></iframe><figcaption>The storm as filmed.</figcaption></figure>",
            "[youtube.com](https://www.youtube.com/embed/abc)\n\nThe storm as filmed.",
        ),
        (
            "<figure><img src=a.png alt='A chart'><pre>x = 1</pre><figcaption>Both.</figcaption></figure>",
            "![A chart](https://a.example/dir/a.png)\n\nBoth.\n\n```\nx = 1\n```",
        ),
    ] {
        assert_eq!(markdown(body), expected, "{body}");
    }
}

#[test]
fn embedded_video_and_audio_become_links() {
    for (body, expected) in [
        ("<video src=/film.mp4></video>", "[film.mp4](https://a.example/film.mp4)"),
        ("<audio controls><source src=/talk.mp3></audio>", "[talk.mp3](https://a.example/talk.mp3)"),
        (
            "<iframe src=https://player.vimeo.com/video/1></iframe>",
            "[player.vimeo.com](https://player.vimeo.com/video/1)",
        ),
        ("<iframe src=https://x.example/1 title='A map'></iframe>", "[A map](https://x.example/1)"),
        ("<lite-youtube videoid=abc></lite-youtube>", "[youtube.com](https://www.youtube.com/watch?v=abc)"),
        ("<iframe src=https://x.example/form></iframe>", "[x.example](https://x.example/form)"),
        ("<iframe data-consent-src=https://x.example/form></iframe>", "[x.example](https://x.example/form)"),
        ("<object data=/plan.pdf></object>", "[plan.pdf](https://a.example/plan.pdf)"),
        ("<object data=/plan.svg></object>", "[plan.svg](https://a.example/plan.svg)"),
        (
            "<noscript><iframe src=https://x.example/1 title=Film></iframe></noscript>",
            "[Film](https://x.example/1)",
        ),
        (
            "<iframe src=https://x.example/1 title=Film></iframe><noscript><iframe src=https://x.example/1 title=Film></iframe></noscript>",
            "[Film](https://x.example/1)",
        ),
        ("<noscript><iframe src=https://x.example/1 width=0 height=0 title=x></iframe></noscript>", ""),
        (
            "<object data=/plan.pdf><p>The plan of the harbour.</p></object>",
            "The plan of the harbour.\n\n[plan.pdf](https://a.example/plan.pdf)",
        ),
        (
            "<object data=/plan.pdf><p>The <a href=/plan.pdf>plan</a>.</p></object>",
            "The [plan](https://a.example/plan.pdf).",
        ),
        ("<iframe src=https://ads.example/slot/1></iframe>", ""),
        ("<iframe src=https://www.youtube.com/embed/a width=1 height=1></iframe>", ""),
    ] {
        assert_eq!(markdown(&format!("<p>One</p>{body}")), format!("One\n\n{expected}").trim_end(), "{body}");
    }
    let film = "<iframe src=https://x.example/1 title=Film></iframe>";
    let other = "<noscript><iframe src=https://x.example/2 title=Other></iframe></noscript>";
    let distant = markdown(&format!("{film}{}{other}", "<p>Two</p>".repeat(5)));
    assert!(distant.ends_with("Two\n\n[Other](https://x.example/2)"), "{distant}");
    let inside = "<p>Say <audio src=/a.mp3></audio> it.</p>";
    assert_eq!(markdown(inside), "Say it.\n\n[a.mp3](https://a.example/a.mp3)");
    assert!(!blocks_of("<video src=/film.mp4></video>")[0].is_main_text());
}

#[test]
fn drawing_in_a_figure_is_represented_by_its_name() {
    let caption = "<figcaption>The boats.</figcaption>";
    for drawing in [
        "<svg><title>Boats by year</title><text>1801</text></svg>",
        "<div><svg role=img aria-label='Boats by year'><path /></svg></div>",
        "<canvas aria-label='Boats by year'></canvas>",
        "<div role=img aria-label='Boats by year'></div>",
    ] {
        let text = markdown(&format!("<figure>{drawing}{caption}</figure>"));
        assert_eq!(text, "Boats by year\n\nThe boats.", "{drawing}");
    }
    let inner = format!("<figure><svg><title>Boats by year</title></svg>{caption}</figure>");
    assert_eq!(markdown(&format!("<figure>{inner}</figure>")), "Boats by year\n\nThe boats.");
    let long = format!("<figure><canvas aria-label='{}'></canvas>{caption}</figure>", "boats ".repeat(500));
    assert!(markdown(&long).len() < 700, "the name is cut");
    assert_eq!(markdown(&format!("<figure><svg><title>Icon</title></svg>{caption}</figure>")), "The boats.");
}

#[test]
fn widget_of_another_site_becomes_a_link() {
    for (body, expected) in [
        (
            "<script src='https://gist.github.com/a/b.js?file=c'></script>",
            "[gist.github.com](https://gist.github.com/a/b)",
        ),
        (
            "<script src='https://asciinema.org/a/14.js'></script>",
            "[asciinema.org](https://asciinema.org/a/14)",
        ),
        ("<script src='https://x.example/a.js'></script>", ""),
        (
            "<div class=fb-video data-href='https://www.facebook.com/a/videos/1'></div>",
            "[facebook.com](https://www.facebook.com/a/videos/1)",
        ),
        (
            "<blockquote class=twitter-tweet><a href=https://twitter.com/a/status/1></a></blockquote>",
            "[twitter.com](https://twitter.com/a/status/1)",
        ),
    ] {
        assert_eq!(markdown(&format!("<p>One</p>{body}")), format!("One\n\n{expected}").trim_end(), "{body}");
    }
    let post = "<div class=fb-post data-href=https://www.facebook.com/a><p>Words of the post.</p></div>";
    assert_eq!(markdown(&format!("<p>One</p>{post}")), "One\n\nWords of the post.");
}

#[test]
fn drawing_is_represented_by_name_description_and_words() {
    for (drawing, expected) in [
        ("<svg role=img aria-label='Boats by year'><text>1801</text><text>12</text></svg>", "Boats by year"),
        (
            "<svg width=400 height=200><title>Boats</title><desc>Twelve boats in all.</desc></svg>",
            "Boats  \nTwelve boats in all.",
        ),
        ("<svg><text>Start here</text><g><text>Stop</text></g></svg>", "Start here Stop"),
        ("<svg><foreignObject><div>Open</div><div>the valve</div></foreignObject></svg>", "Open the valve"),
        (
            "<svg aria-label='The map of ports'><image href=/map.png width=600 height=400 /></svg>",
            "![The map of ports](https://a.example/map.png)",
        ),
        ("<svg><image xlink:href=/map.png width=600 height=400 /></svg>", "![](https://a.example/map.png)"),
        ("<div role=img aria-label='Boats by year'></div>", "Boats by year"),
        (
            "<div role=img aria-label=Tower style=\"color:red;background-image: url('/t.jpg')\"></div>",
            "![Tower](https://a.example/t.jpg)",
        ),
        (
            "<div title='A tower in the fog' style='background:#fff url(/t.jpg) no-repeat'></div>",
            "![A tower in the fog](https://a.example/t.jpg)",
        ),
        (
            "<div aria-label='A tower in the fog' data-bg=/t.jpg></div>",
            "![A tower in the fog](https://a.example/t.jpg)",
        ),
        (
            "<canvas aria-label='Boats as bars'>Skerrow 12, Vik 7</canvas>",
            "Boats as bars\n\nSkerrow 12, Vik 7",
        ),
        (
            "<canvas><table><tr><th>Port<th>Boats<tr><td>Vik<td>7</table></canvas>",
            "| Port | Boats |\n| --- | --- |\n| Vik | 7 |",
        ),
    ] {
        assert_eq!(markdown(&format!("<p>One</p>{drawing}")), format!("One\n\n{expected}"), "{drawing}");
        assert!(article(drawing).contains(expected), "{drawing}: {}", article(drawing));
    }
    let line = "<p>Say <svg width=400 height=200 aria-label='Boats by year'></svg> it.</p>";
    assert_eq!(markdown(line), "Say it.\n\nBoats by year");
    let labels = "<svg><text>Start a very long journey</text><text>over the sea to Vik</text></svg>";
    assert_eq!(markdown(&format!("<p>One</p>{labels}<p>Two</p>")), "One\n\nTwo");
    assert!(markdown(&format!("<figure>{labels}</figure>")).contains("journey over the sea"));
    let long = format!("<svg aria-label='All the boats'><text>{}</text></svg>", "boats ".repeat(5_000));
    assert!(is_partial(&long), "the words are cut");
}

#[test]
fn icons_controls_and_decorations_are_not_drawings() {
    for drawing in [
        "<svg viewBox='0 0 24 24' role=img aria-label='Open the menu'><path d='M0 0'/></svg>",
        "<svg width=24 height=24><title>Two words</title><text>Two words</text></svg>",
        "<svg aria-hidden=true><text>Two words</text></svg>",
        "<svg class=site-logo><text>Example Times</text></svg>",
        "<svg width=400 height=200><desc>Created with Sketch.</desc></svg>",
        "<svg><text>1801</text><text>1802</text></svg>",
        "<a href=/x><svg width=400 height=200 aria-label='Other story here'></svg></a>",
        "<button><svg width=400 height=200 aria-label='Copy the code'></svg></button>",
        "<a href=/x><div role=img aria-label='Other story here' style='background:url(/x.jpg)'></div></a>",
        "<div style='background-image:url(/texture.jpg)'></div>",
        "<div class=hero data-bg=/hero.jpg></div>",
        "<figure><div style='background-image:url(/banner.jpg)'></div></figure>",
        "<canvas>Your browser does not support the canvas element.</canvas>",
        "<canvas id=animation width=600 height=400></canvas>",
        "<div class=share-icon role=img aria-label='Share this page'></div>",
    ] {
        assert_eq!(markdown(&format!("<p>One</p>{drawing}<p>Two</p>")), "One\n\nTwo", "{drawing}");
    }
    let line = "<p>Say <span role=img aria-label='party popper'>🎉</span> it.</p>";
    assert_eq!(markdown(line), "Say 🎉 it.");
}

#[test]
fn background_in_a_figure_is_its_image() {
    let caption = "<figcaption>The tower.</figcaption>";
    for picture in [
        "<div style=\"background-image:url('/t.jpg')\"></div>",
        "<a href=/t.jpg><span style='background: url(\"/t.jpg\") center'></span></a>",
        "<div class=lazy data-bg='url(/t.jpg)'></div>",
    ] {
        let body = format!("<p>One</p><figure>{picture}{caption}</figure>");
        let text = markdown(&body);
        assert!(text.contains("![](https://a.example/t.jpg)"), "{picture}: {text}");
        assert!(text.ends_with("The tower."), "{picture}: {text}");
        assert!(article(&body).contains("/t.jpg)"), "{picture}");
    }
    let blurred = "<figure><div style='background:url(/blur.jpg)'></div><img src=/t.jpg></figure>";
    assert_eq!(markdown(&format!("<p>One</p>{blurred}")), "One\n\n![](https://a.example/t.jpg)");
}

#[test]
fn custom_image_elements_are_images() {
    for element in [
        "<lazy-img src=/t.jpg alt='A tall tower'></lazy-img>",
        "<amp-anim src=/t.jpg alt='A tall tower'></amp-anim>",
        "<nuxt-picture data-src=/t.jpg alt='A tall tower'></nuxt-picture>",
        "<v-lazy-image srcset='/s.jpg 1x, /t.jpg 2x' alt='A tall tower'></v-lazy-image>",
        "<image-viewer src=/x.jpg><img src=/t.jpg alt='A tall tower'></image-viewer>",
        "<lazy-img src=/t.jpg alt='A tall tower'></lazy-img><noscript><img src=/t.jpg alt='A tall tower'></noscript>",
    ] {
        let expected = "One\n\n![A tall tower](https://a.example/t.jpg)";
        assert_eq!(markdown(&format!("<p>One</p>{element}")), expected, "{element}");
        assert!(article(element).contains("![A tall tower]("), "{element}");
    }
    assert_eq!(markdown("<p>One</p><my-image>Two</my-image>"), "One\n\nTwo");
    let story = "<p>One</p><photo-story src=/x.json><div><img src=/t.jpg></div><p>Two</p></photo-story>";
    assert_eq!(markdown(story), "One\n\n![](https://a.example/t.jpg)\n\nTwo");
}

#[test]
fn letter_is_text_only_next_to_text() {
    assert_eq!(markdown("<p><span><img src=t.gif alt=T></span>he harbour</p>"), "The harbour");
    let alone = "<p>One</p><x-image><img src=/t.jpg alt=x></x-image>";
    assert_eq!(markdown(alone), "One\n\n![x](https://a.example/t.jpg)");
}

#[test]
fn element_in_which_a_script_plays_a_film_becomes_a_link() {
    let youtube = "[youtube.com](https://www.youtube.com/watch?v=dQw4w9WgXcQ)";
    for (element, expected) in [
        ("<div class=youtube-player data-id=dQw4w9WgXcQ></div>", youtube),
        ("<div class=youtube data-embed=dQw4w9WgXcQ><div class=play></div></div>", youtube),
        ("<div class=player data-plyr-provider=youtube data-plyr-embed-id=dQw4w9WgXcQ></div>", youtube),
        ("<div class=lazy data-youtube-id=dQw4w9WgXcQ><img src=/thumb.jpg></div>", youtube),
        ("<div class='video vimeo' data-video-id=76979871></div>", "[vimeo.com](https://vimeo.com/76979871)"),
        (
            "<div class=video data-src=https://www.youtube.com/embed/abc></div>",
            "[youtube.com](https://www.youtube.com/embed/abc)",
        ),
        ("<div class=youtube data-id=placeholder-1></div>", ""),
        ("<div class=card data-id=dQw4w9WgXcQ></div>", ""),
        ("<div class=youtube data-id=dQw4w9WgXcQ>Text of it.</div>", "Text of it."),
    ] {
        assert_eq!(
            markdown(&format!("<p>One</p>{element}")),
            format!("One\n\n{expected}").trim_end(),
            "{element}"
        );
    }
}

#[test]
fn text_and_images_of_shadow_roots_are_read() {
    const INSIDE: &str =
        "The northern reef was charted again in spring, by two brothers with a borrowed boat.";
    let figure = "<my-figure><template shadowrootmode=open><style>a{}</style><figure><img src=/t.jpg alt='A tall tower'>\
        <figcaption><slot></slot></figcaption></figure></template>The tower at dusk.</my-figure>";
    let text = article(figure);
    assert!(text.contains("![A tall tower](https://a.example/t.jpg)\n\nThe tower at dusk."), "{text}");
    let prose = format!("<my-text><template shadowrootmode=open><p>{INSIDE}</p></template></my-text>");
    assert!(article(&prose).contains(INSIDE));
    let nested = format!(
        "<a-a><template shadowrootmode=open><img src=/a.jpg><b-b><template shadowrootmode=open><p>{INSIDE}</p></template></b-b></template></a-a>"
    );
    assert!(article(&nested).contains(INSIDE));
    let named = "<my-card><template shadowrootmode=open><p>These words stand before the slot of the card.</p>\
        <slot name=title>Untitled</slot></template><h2 slot=title>The ledger of the harbour</h2></my-card>";
    let text = article(named);
    let position = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}: {text}"));
    assert!(position("These words") < position("The ledger of the harbour"));
    assert!(!text.contains("Untitled"), "{text}");
    for silent in [
        "<my-bar><template shadowrootmode=open><button>Share this</button><slot></slot></template></my-bar>",
        "<template><p>This template is not displayed by any browser at all.</p></template>",
    ] {
        assert_eq!(article(silent), article(""), "{silent}");
    }
    let deep = "<x-x><template shadowrootmode=open><img src=/a.jpg>".repeat(200);
    assert!(read(&article_page(&deep), None).is_ok());
}
