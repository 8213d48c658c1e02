//! Footnotes and sections that controls reveal, and hidden parts that remain hidden.

use super::*;
use crate::{
    document::{Block, BlockKind},
    html::{parse_page, read, whole_page},
    render,
};

/// Visible text of a page after its disclosures are opened.
fn visible(body: &str) -> String {
    let page =
        parse_page(&format!("<main><p>The keeper counted the ships before dawn.</p>{body}</main>")).unwrap();
    let mut hidden = hidden::find(&page);
    Disclosures::open(&page, &mut hidden);
    let texts = (1..page.len()).filter(|&id| !hidden[id]).filter_map(|id| page.text(id));
    texts.collect::<Vec<_>>().join(" ")
}

#[test]
fn hidden_answer_with_a_control_is_opened() {
    for body in [
        "<h3><button aria-expanded=false aria-controls=a1>What is a buoy?</button></h3><div id=a1 hidden>A float.</div>",
        "<h3><button aria-expanded=false>What is a buoy?</button></h3><div hidden><p>A float.</p></div>",
        "<div class=item><button type=button>What is a buoy?</button><div style='display: none'>A float.</div></div>",
        "<a data-toggle=collapse href='#a1'>What is a buoy?</a><div id=a1 style=display:none>A float.</div>",
        "<button data-bs-target='#a1'>What is a buoy?</button><section id=a1 hidden>A float.</section>",
        "<dl><dt><button aria-expanded=false>What is a buoy?</button></dt><dd hidden>A float.</dd></dl>",
        "<h4 tabindex=0 aria-expanded=false>What is a buoy?</h4><p hidden>A float.</p>",
        "<input type=checkbox id=a1><label for=a1>What is a buoy?</label><div style=display:none>A float.</div>",
        "<li><input type=radio id=a1> <label for=a1>What is a buoy?</label> <div hidden>A float.</div>",
        "<div role=tablist><button role=tab id=t1>What is a buoy?</button><button role=tab id=t2>More</button></div>\
         <div role=tabpanel aria-labelledby=t2>Two.</div><div role=tabpanel aria-labelledby=t1 hidden>A float.</div>",
        "<p>Q: <a href='javascript:;' onclick=\"$('#a1').toggle()\">Show answer</a></p><div id=a1 style=display:none>A float.</div>",
        "<p>A buoy. <a href=\"javascript:toggle('a1')\">Show answer</a></p><p>Two.</p><p id=a1 style=display:none>A float.</p>",
        "<span onclick=\"document.getElementById('a1').style.display='block'\">What is a buoy?</span><hr><div id=a1 hidden>A float.</div>",
        "<input type=button value='Show answer' onclick='toggle(\"a1\")'><br><div id=a1 style=display:none>A float.</div>",
        // The spoilers of phpBB, vBulletin and IP.Board.
        "<div class=quotetitle><b>Spoiler:</b> <input type=button value=Show onclick='x(this)'></div>\
         <div class=quotecontent><div style='display:none'>A float.</div></div>",
        "<div class=pre-spoiler>Spoiler <input type=button value=Show onclick='x(this)'></div><div><div class=spoiler style='display:none'>A float.</div></div>",
        "<input type=button class=bbc_spoiler_show value=Show onclick='x(this)'><div class=bbc_wrapper><div style='display:none'>A float.</div></div>",
        "<div>Spoiler: <a href='#' onclick='return toggleSpoiler(this)'>show</a></div><div style='display:none'>A float.</div>",
        // The answer is in another hidden section.
        "<h3><button aria-controls=a2>Marks</button></h3><div id=a2 hidden><p>All marks.</p><h4><button aria-controls=a1>\
         What is a buoy?</button></h4><div id=a1 hidden>A float.</div></div>",
    ] {
        assert!(visible(body).contains("A float."), "{body}");
    }
}

#[test]
fn hidden_answers_and_tabs_are_opened_only_if_their_markup_identifies_them() {
    for body in [
        "<h3 class=rank-math-question>What is a buoy?</h3><div class=rank-math-answer style=display:none>A float.</div>",
        "<div class=faq-item><h3>What is a buoy?</h3><div aria-hidden=true style='display:none'><p>A float.</p></div></div>",
        "<div class=spoiler><div class=spoiler-title>What is a buoy?</div><div style=display:none>A float.</div></div>",
        "<div class=bbcode_spoiler><div class=spoiler-head>What is a buoy?</div><div style=display:none>A float.</div></div>",
        "<div class=expand-container><div class=expand-control><span>What is a buoy?</span></div>\
         <div class='expand-content expand-hidden' style=display:none>A float.</div></div>",
        "<table class='mw-collapsible mw-collapsed'><tr><th>Marks</th></tr><tr style=display:none><td>A float.</td></tr></table>",
        "<ul class='nav nav-tabs'><li><a role=tab href='#b' aria-controls=b>Buoys</a></li></ul>\
         <div class=tab-content><div role=tabpanel id=b style=display:none>A float.</div></div>",
    ] {
        assert!(visible(body).contains("A float."), "{body}");
    }
    for body in [
        "<h3>What is a buoy?</h3><div style=display:none>A float.</div>",
        "<div class=faq><p>What is a buoy?</p><div style=display:none>A float.</div></div>",
    ] {
        assert!(!visible(body).contains("A float."), "{body}");
    }
}

#[test]
fn class_names_of_body_and_main_do_not_open_hidden_text() {
    let part = "<h3>What is a buoy?</h3><div style=display:none>A float.</div>";
    for (start, expected) in
        [("<body class=has-accordion>", true), ("<main class=faq>", true), ("<div class=faq>", false)]
    {
        let page = parse_page(&format!("{start}{part}")).unwrap();
        let mut hidden = hidden::find(&page);
        Disclosures::open(&page, &mut hidden);
        let answer = (1..page.len()).find(|&id| page.text(id) == Some("A float.")).unwrap();
        assert_eq!(hidden[answer], expected, "{start}");
    }
}

#[test]
fn toggle_label_is_not_part_of_the_text() {
    for body in [
        "<button aria-expanded=false aria-controls=m>Show more…</button><div id=m hidden>A float.</div>",
        "<details><summary>Read more</summary><p>A float.</p></details>",
        "<p>A buoy. <a aria-expanded=false href='#m'>Weiterlesen</a></p><div id=m>A float.</div>",
    ] {
        let text = visible(body);
        assert!(text.contains("A float."), "{text}");
        assert!(
            ["Show more", "Read more", "Weiterlesen"].iter().all(|label| !text.contains(label)),
            "{text}"
        );
    }
    assert!(
        visible("<details><summary>Show more buoys</summary><p>A float.</p></details>").contains("Show more")
    );
}

#[test]
fn section_hidden_by_a_style_sheet_is_matched_with_its_control() {
    let sections = |body: &str| {
        let page = parse_page(body).unwrap();
        let sections = Disclosures::open(&page, &mut hidden::find(&page)).sections;
        let text = |id: Id| page.folded_text(id);
        let pairs = sections.into_iter().map(|section| (text(section.control), text(section.panel)));
        pairs.collect::<Vec<_>>()
    };
    let expected = [("What is a buoy?".to_owned(), "A float.".to_owned())];
    for body in [
        "<h5><button data-target='#a' aria-expanded=false>What is a buoy?</button></h5><div id=a class=collapse>A float.</div>",
        "<button aria-controls=a aria-expanded=true>What is a buoy?</button><div id=a>A float.</div>",
        "<div class=kt-accordion-header><button>What is a buoy?</button></div><div class=kt-accordion-panel><p>A float.</p></div>",
        "<div class=w-dropdown><div class=w-dropdown-toggle>What is a buoy?</div><nav class=w-dropdown-list><p>A float.</p></nav></div>",
    ] {
        assert_eq!(sections(body), expected, "{body}");
    }
    for body in [
        "<nav><button aria-controls=m aria-expanded=false>Menu</button><div id=m>A float.</div></nav><p>A</p><p>B</p><p>C</p>",
        "<div class=w-dropdown><div>Menu</div><nav class=w-dropdown-list><a class=w-dropdown-link href=/1>A</a></nav></div>",
        "<button aria-controls=m aria-expanded=false>Menu</button><ul id=m><li><a href=/1>A float.</a></li></ul>",
    ] {
        assert!(sections(body).is_empty(), "{body}");
    }
}

#[test]
fn menus_dialogs_and_text_without_a_control_remain_hidden() {
    for body in [
        "<div hidden>A float.</div>",
        "<p>What is a buoy?</p><div hidden>A float.</div>",
        "<nav><button aria-controls=m>Menu</button><div id=m hidden>A float.</div></nav>",
        "<button aria-controls=m>More</button><ul id=m class=dropdown-menu hidden><li>A float.</li></ul>",
        "<button aria-controls=m>Links</button><div id=m hidden><a href=/1>A float.</a> <a href=/2>Two</a></div>",
        "<button aria-controls=m>Write</button><div id=m hidden>A float.<form><input name=q></form></div>",
        "<button aria-controls=m>Help</button><div id=m role=dialog hidden>A float.</div>",
        "<button aria-controls=m>Cookies</button><div id=m class=cookie-settings hidden>A float.</div>",
        "<button aria-controls=m>Search</button><div class=search><div id=m hidden>A float.</div></div>",
        "<button>Next<span class=sr-only>A float.</span></button>",
        "<p>Read it on <a href=/x onclick='track(this)'>the page</a>.</p><div hidden>A float.</div>",
        "<div><a href='#' onclick=\"track('share')\">Share</a></div><div style=display:none>A float.</div>",
        "<div>Mail <input type=button value=Send onclick='x()'></div><div class=newsletter><div hidden>A float.</div></div>",
        "<div>Mail <input type=button onclick='x()'></div><div hidden>A float.</div>",
        "<p><a href='#' onclick='showLogin();return false'>Log in to comment</a></p><div hidden>A float.</div>",
        "<div><button aria-controls=s1>1</button><button>2</button></div><div id=s1 hidden>A float.</div>",
    ] {
        assert!(!visible(body).contains("A float."), "{body}");
    }
    let header =
        "<header><button aria-controls=m>Menu</button><div id=m hidden>A float.</div></header><p>Text</p>";
    let page = parse_page(header).unwrap();
    let mut hidden = hidden::find(&page);
    assert!(Disclosures::open(&page, &mut hidden).sections.is_empty());
}

const NOTE: &str = "By my count there were six of them.";

/// Variants of a paragraph with a footnote mark and its hidden footnote.
fn notes() -> Vec<String> {
    [
        "<p>It drifted past.<button class=fn-btn data-definition=n1>*</button> Next sentence here.</p><aside id=n1 hidden>@</aside>",
        "<p>It drifted past.<sup><button aria-describedby=n1>1</button></sup> Next sentence here.</p><div id=n1 hidden><p>@</p></div>",
        "<p>It drifted past.<button popovertarget=n1>[1]</button> Next sentence here.</p><div popover id=n1>@</div>",
        "<p>It drifted past.<span class=inline-footnote>1<span class=footnoteContent style='display:none'>@</span></span> Next \
         sentence here.</p>",
        "<p>It drifted past.<button>1<div hidden>@</div></button> Next sentence here.</p>",
        "<p>It drifted past.<sup>†</sup><span hidden>@</span> Next sentence here.</p>",
        "<p>It drifted past.<button aria-label='Footnote 1'></button><span class=footnote hidden>@</span> Next sentence here.</p>",
        "<p>It drifted past.<a href='#n1'>1</a> Next sentence here.</p><ol hidden><li id=n1>@</li></ol>",
        "<p>It drifted past.<sup><a href='#n1'>1</a></sup> Next sentence here.</p><div style=display:none><p id=n1>@</p></div>",
        "<p>It drifted past.<label for=c1 class=sidenote-number>1</label><small class=sidenote hidden>@</small> Next sentence here.</p>",
    ]
    .map(|body| body.replace('@', NOTE))
    .to_vec()
}

#[test]
fn hidden_footnote_follows_the_paragraph_with_its_reference() {
    for body in notes() {
        let blocks = whole_page(&format!("<p>The keeper counted the ships.</p>{body}<p>The end.</p>"));
        let texts: Vec<&str> = blocks.iter().map(|block| block.text.as_str()).collect();
        let [_, paragraph, note, end] = blocks.as_slice() else { panic!("{body}: {texts:?}") };
        assert_eq!((note.kind, note.text.as_str()), (BlockKind::Footnote, NOTE), "{body}");
        let mark = format!("It drifted past.[^{}] Next sentence here.", note.note.as_deref().unwrap_or("?"));
        assert_eq!((paragraph.text.as_str(), end.text.as_str()), (mark.as_str(), "The end."), "{body}");
    }
}

fn reading(body: &str) -> Vec<Block> {
    let markup = format!(
        "<!doctype html><html lang=en><head><title>The ledger</title></head><body><header><nav><a href=/>Home</a></nav></header>\
         <main><article><h1>The ledger</h1><p>The lighthouse keeper counted the ships before dawn and noted each of them in the \
         long green ledger by the window. A storm had taken the northern buoy, so two boats waited beyond the reef until \
         somebody rowed out with a lamp.</p>{body}<p>In the afternoon the mail arrived with a letter from the harbour office, \
         which asked for the figures of the whole month. He copied them twice, sealed one copy for the office and put the other \
         below the stairs with the older books.</p></article></main><footer>© Example</footer></body></html>"
    );
    read(&markup, Some("https://example.com/d/x")).unwrap().blocks
}

#[test]
fn article_includes_its_hidden_footnotes() {
    for body in notes() {
        let blocks = reading(&body);
        let note = blocks.iter().find(|block| block.text == NOTE);
        assert_eq!(
            note.map(|block| block.kind),
            Some(BlockKind::Footnote),
            "{body}: {}",
            render::text(&blocks)
        );
        let text = render::text(&blocks);
        assert!(
            text.contains("It drifted past.[^") && text.contains("] Next sentence here."),
            "{body}: {text}"
        );
    }
}

#[test]
fn article_includes_questions_with_their_hidden_answers() {
    let item = |control: &str, panel: &str| {
        format!(
            "<div class=accordion-item>{control}<div class=accordion-panel hidden><p>{panel}</p></div></div>"
        )
    };
    let one =
        item("<h3><button aria-expanded=false>What is a buoy?</button></h3>", "A float that marks the way.");
    let two = item("<button aria-expanded=false>Who lights it?</button>", "Nobody.");
    let details = "<details><summary>What is a reef?</summary><p>Rocks below the water.</p></details>";
    let flat = "<h3><button aria-controls=p1>What is a buoy?</button></h3><div id=p1 hidden><p>A float that marks the way.</p></div>\
                <h3><button aria-controls=p2>Who lights it?</button></h3><div id=p2 hidden>Nobody.</div>";
    for body in [
        format!("{one}{two}{details}"),
        format!("<div class=faq>{one}{two}{details}</div>"),
        format!("{flat}{details}"),
    ] {
        let text = render::text(&reading(&body));
        let positions = [
            "before dawn", "What is a buoy?", "A float that marks the way.", "Who lights it?", "Nobody.",
            "What is a reef?", "Rocks below the water.", "In the afternoon",
        ]
        .map(|words| text.find(words));
        assert!(positions.iter().all(Option::is_some) && positions.is_sorted(), "{body}: {text}");
    }
}

#[test]
fn footnote_of_latexml_is_separated_from_its_line() {
    let mark = "<sup class=ltx_note_mark>1</sup>";
    let body = format!(
        "<p>The buoy was lost<span class='ltx_note ltx_role_footnote'>{mark}<span class=ltx_note_outer>\
         <span class=ltx_note_content>{mark}<span class='ltx_tag ltx_tag_note'>1</span>It drifted past the \
         northern reef.</span></span></span> in the storm.</p>"
    );
    let markdown = render::markdown(&reading(&body));
    assert!(markdown.contains("The buoy was lost[^1] in the storm."), "{markdown}");
    assert!(markdown.contains("[^1]: It drifted past the northern reef."), "{markdown}");
}

#[test]
fn tabs_without_ids_refer_to_their_panels_by_position() {
    let panel = |hidden: &str, text: &str| format!("<div role=tabpanel {hidden}><pre>{text}</pre></div>");
    let panels = panel("", "cargo add lamp --features oil") + &panel("hidden", "pip install lamp[oil]");
    let tabs = "<ul role=tablist><li role=tab>Rust</li><li role=tab>Python</li></ul>";
    for body in [format!("<div>{tabs}<div>{panels}</div></div>"), format!("<div>{tabs}{panels}</div>")] {
        let markdown = render::markdown(&reading(&body));
        let positions = ["### Rust", "cargo add lamp", "### Python", "pip install lamp"]
            .map(|words| markdown.find(words));
        assert!(positions.iter().all(Option::is_some) && positions.is_sorted(), "{body}: {markdown}");
    }
    // The number of tabs differs from the number of panels.
    let tabs = "<ul role=tablist><li role=tab>Rust</li></ul>";
    assert!(!visible(&format!("<div>{tabs}<div>{panels}</div></div>")).contains("pip install"));
}

#[test]
fn answers_of_collapse_controls_without_a_state_are_selected() {
    let item = |at: usize, question: &str, answer: &str| {
        format!(
            "<div class=card><h4><a data-toggle=collapse href='#c{at}'>{question}</a></h4>\
             <div id=c{at} class=collapse><div>{answer}</div></div></div>"
        )
    };
    let body = item(1, "What is a buoy?", "A float.") + &item(2, "Who lights it?", "Nobody.");
    let text = render::text(&reading(&body));
    for words in ["What is a buoy?", "A float.", "Who lights it?", "Nobody."] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn tab_names_become_headings_of_their_texts() {
    let tab =
        |at: usize, name: &str| format!("<button role=tab id=t{at} aria-controls=p{at}>{name}</button>");
    let panel = |at: usize, hidden: &str, text: &str| {
        format!("<div role=tabpanel id=p{at} aria-labelledby=t{at} {hidden}>{text}</div>")
    };
    let body = format!(
        "<div class=tabs><div role=tablist>{}{}{}</div>{}{}{}</div>",
        tab(1, "Lamp"),
        tab(2, "Bell"),
        tab(3, "Boat"),
        panel(1, "", "<p>The lamp burns oil and is lit in the evening by the keeper himself.</p>"),
        panel(2, "hidden", "<p>The bell is rung in fog, by hand or by the wind.</p>"),
        panel(3, "hidden", "<h3>The boat</h3><p>The boat brings the mail.</p>"),
    );
    let markdown = render::markdown(&reading(&body));
    for words in
        ["### Lamp\n\nThe lamp burns", "### Bell\n\nThe bell is rung", "### The boat\n\nThe boat brings"]
    {
        assert!(markdown.contains(words), "{words}: {markdown}");
    }
    assert!(!markdown.contains("### Boat"), "{markdown}");
}

#[test]
fn names_of_tabs_without_roles_become_headings() {
    let lamp = "<p>The lamp burns oil and is lit in the evening by the keeper himself.</p>";
    let signal = "<p>The signal is rung in fog, by hand or by the wind, and is heard in the town.</p>";
    for body in [
        format!(
            "<div class=tabbed-set><input type=radio><div class=tabbed-labels><label>Lamp</label><label>Bell</label></div>\
             <div class=tabbed-content><div class=tabbed-block>{lamp}</div><div class=tabbed-block>{signal}</div></div></div>"
        ),
        format!(
            "<ul class='nav nav-tabs'><li><a href='#a' data-toggle=tab>Lamp</a><li><a href='#b' data-toggle=tab>Bell</a></ul>\
             <div class=tab-content><div class='tab-pane active' id=a>{lamp}</div><div class=tab-pane id=b>{signal}</div></div>"
        ),
    ] {
        let markdown = render::markdown(&reading(&body));
        for words in ["### Lamp\n\nThe lamp burns", "### Bell\n\nThe signal is rung"] {
            assert!(markdown.contains(words), "{words}: {markdown}");
        }
    }
}

#[test]
fn text_revealed_by_an_animation_is_visible() {
    let style = "style='visibility: hidden; animation-name: none'";
    assert!(visible(&format!("<div class='wow fadeIn' {style}>A float.</div>")).contains("A float."));
    assert!(
        visible("<p class=elementor-invisible style=visibility:hidden>A float.</p>").contains("A float.")
    );
    for style in
        ["visibility:hidden;display:none", "DISPLAY:none", "font-size:0", "visibility:hidden;left:-9999px"]
    {
        assert!(
            !visible(&format!("<p class=wow style='{style}'>A float.</p>")).contains("A float."),
            "{style}"
        );
    }
    assert!(!visible(&format!("<div class=wowed {style}>A float.</div>")).contains("A float."));
}
