//! Images without a block: which are displayed, and next to which block.

use super::*;

/// Texts of the blocks with their images: `<` before a block, `>` after it.
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
fn images_with_text_are_blocks() {
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
fn lazy_image_has_the_url_it_is_loaded_from() {
    let body = "<p>One</p><img src='data:image/gif;base64,R0lGODlhAQABAAAAACw=' data-src=late.jpg>\
        <picture><source srcset=x.webp><img srcset='small.jpg 400w, large.jpg 1200w'></picture>";
    assert_eq!(rendered(body), ["One >late.jpg>large.jpg"]);
    let flood: Vec<String> = (0..500).map(|n| format!("<img src={n}.png>")).collect();
    let flood = flood.concat();
    assert_eq!(blocks_of(&format!("<p>One</p>{flood}"))[0].pictures.len(), 100);
    assert!(blocks_of("<img src=a.png>").is_empty());
}
