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
