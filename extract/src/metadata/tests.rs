//! Titles, authors, dates and languages of pages.

use super::*;
use crate::page::parse::parse;

fn read_page(markup: &str) -> PageMetadata {
    read_page_of(markup, &Types::default())
}

fn read_page_of(markup: &str, types: &Types) -> PageMetadata {
    let document = parse(markup).unwrap();
    let page = Page::new(&document, |_, _| {});
    let url = Url::parse("https://news.example/2026/01/02/story").unwrap();
    read(&page, Some(&url), Some(&url), types)
}

#[test]
fn structured_data_sets_author_and_dates() {
    let meta = read_page(
        r##"<html lang="de-AT"><head><title>Ein Titel | Zeitung</title>
        <script type="application/ld+json">{"@graph":[{"@type":"Person","@id":"#p","name":"Eva Beispiel"},
        {"@type":"NewsArticle","headline":"Ein Titel","author":{"@id":"#p"},"datePublished":"2026-01-02T08:00:00+01:00",
        "dateModified":"2026-01-03","publisher":{"name":"Zeitung"}}]}</script>
        <link rel=canonical href="/story"></head><body><h1>Ein Titel</h1></body>"##,
    );
    assert_eq!(meta.title.as_deref(), Some("Ein Titel"));
    assert_eq!(meta.author.as_deref(), Some("Eva Beispiel"));
    assert_eq!(meta.publisher.as_deref(), Some("Zeitung"));
    assert_eq!(meta.published_at.as_deref(), Some("2026-01-02T08:00:00+01:00"));
    assert_eq!(meta.modified_at.as_deref(), Some("2026-01-03"));
    assert_eq!(meta.language.as_deref(), Some("de-AT"));
    assert_eq!(meta.canonical_url.as_deref(), Some("https://news.example/story"));
}

#[test]
fn site_name_is_removed_from_the_title() {
    let meta = read_page("<title>How to bake bread - The Baker</title><p>x");
    assert_eq!(meta.title.as_deref(), Some("How to bake bread"));
}

#[test]
fn kicker_is_removed_from_the_title() {
    let title = |heading: &str, stated: &str| {
        read_page(&format!("<meta property=og:title content='{stated}'><h1>{heading}</h1>")).title.unwrap()
    };
    assert_eq!(
        title("<span>Energy</span> <span>Prices fall in May</span>", "Prices fall in May"),
        "Prices fall in May"
    );
    assert_eq!(
        title("<span>Energy</span>Prices fall in May", "Energy / Prices fall in May"),
        "Energy / Prices fall in May"
    );
    // The words before the colon belong to the headline.
    assert_eq!(
        title("After the vote: prices fall in May", "prices fall in May"),
        "After the vote: prices fall in May"
    );
    assert_eq!(title("The long wait", "Wait"), "The long wait");
}

#[test]
fn permalinks_and_buttons_are_removed_from_the_heading() {
    let title = |heading: &str| read_page(&format!("<h1>{heading}</h1><p>x")).title.unwrap();
    assert_eq!(title("Working with forms<a href='#forms'>¶</a>"), "Working with forms");
    assert_eq!(title("Crate tokio <button>Copy item path</button>"), "Crate tokio");
    assert_eq!(title("C#"), "C#");
}

#[test]
fn last_breadcrumb_is_not_used_as_the_headline() {
    let page = |stated: &str| {
        format!(
            "<meta property=og:title content='{stated}'><ul class=breadcrumb><li><a href=/m>Money</a><li><h1>Payments: what the \
             new system can do</h1></ul><h2>Faster, cheaper: the new way to pay</h2><p>Text of the story."
        )
    };
    let title = |stated: &str| read_page(&page(stated)).title.unwrap();
    assert_eq!(title("Faster, cheaper: the new way to pay"), "Faster, cheaper: the new way to pay");
    assert_eq!(title("Payments: what the new system can do"), "Payments: what the new system can do");
}

#[test]
fn title_of_a_service_page_is_read_from_the_head() {
    let markup = "<title>Workforce planning software | Acme</title><h1>Plan more. Worry less.</h1><p>x";
    assert_eq!(read_page(markup).title.as_deref(), Some("Plan more. Worry less."));
    let service = read_page_of(markup, &Types::certain(PageType::Service));
    assert_eq!(service.title.as_deref(), Some("Workforce planning software"));
}

#[test]
fn section_before_the_site_name_is_removed_from_the_title() {
    let title = |stated: &str, links: &str| {
        let site = "<meta property=og:site_name content=Harbourpaper>";
        read_page(&format!("{site}<title>{stated}</title><nav>{links}</nav><p>x</p>")).title
    };
    let politics = "<a href=/p>Politics</a>";
    let of = |stated: &str| title(stated, politics);
    assert_eq!(
        of("The mayor opens the harbour-PoliticsㅣHarbourpaper").as_deref(),
        Some("The mayor opens the harbour")
    );
    // The section is retained if no site name follows, if the page does not link to it, or if it is part of a
    // hyphenated word.
    assert_eq!(
        of("The mayor opens the harbour-Politics").as_deref(),
        Some("The mayor opens the harbour-Politics")
    );
    assert_eq!(
        title("The mayor opens the harbour-PoliticsㅣHarbourpaper", "").as_deref(),
        Some("The mayor opens the harbour-Politics")
    );
    assert_eq!(
        of("The mayor learns the know-how | Harbourpaper").as_deref(),
        Some("The mayor learns the know-how")
    );
}

#[test]
fn utc_time_is_converted_to_the_day_of_the_page() {
    let meta = |time: &str| {
        format!("<meta property=article:published_time content=\"{time}\"><h1>A title of words</h1>")
    };
    let published = |page: &str| read_page(page).published_at;
    // The URL contains the day before the UTC day.
    assert_eq!(published(&meta("2026-01-03T03:05:00Z")).as_deref(), Some("2026-01-02"));
    assert_eq!(published(&meta("2026-01-03T03:05:00+01:00")).as_deref(), Some("2026-01-03T03:05:00+01:00"));
    assert_eq!(published(&meta("2026-02-03T03:05:00Z")).as_deref(), Some("2026-02-03T03:05:00Z"));
    let local = meta("2026-01-03T23:25:38Z") + "<time datetime=\"2026-01-04T04:25:38+0500\">4:25</time>";
    assert_eq!(published(&local).as_deref(), Some("2026-01-04T04:25:38+05:00"));
    // The URL contains the declared day, so a time in another zone is not used.
    let elsewhere = meta("2026-01-02T23:25:38Z") + "<time datetime=\"2026-01-03T04:25:38+0500\">4:25</time>";
    assert_eq!(published(&elsewhere).as_deref(), Some("2026-01-02T23:25:38Z"));
    // The date near the heading is the date of a change.
    let changed = meta("2026-02-03T14:05:00Z")
        .replace("<h1>", "<meta property=article:modified_time content=\"2026-02-04T06:00:00Z\"><h1>");
    let changed = changed + "<p>February 4, 2026</p>";
    assert_eq!(published(&changed).as_deref(), Some("2026-02-03T14:05:00Z"));
}

#[test]
fn undeclared_date_is_read_from_the_body() {
    let published = |body: &str| {
        let document = parse(&format!("<html lang=en><title>A title</title>{body}")).unwrap();
        read(&Page::new(&document, |_, _| {}), None, None, &Types::default()).published_at
    };
    for body in [
        "<h1>A title of words</h1><div class=article><div class=footer><time itemprop=datePublished datetime=2026-01-12>",
        "<p class=date>12 January 2026, 13:43</p><h1>A title of words</h1><p>a</p><p>b</p><p>in March 1, 2019 or so</p>",
        "<h1>A title of words</h1><p>Joined: July 24, 2017</p><p>by me, January 12, 2026</p>",
        "<div class=elementor-widget><h1>A title of words</h1><p class=meta>January 12, 2026</p></div>",
        "<h1>A title of words</h1><p>x</p><script>{\"post\":{\"publishedAt\":\"2026-01-12T10:00:00\"}}</script>",
        "<h1>A title of words</h1><abbr class=published itemprop=datePublished title=2026-01-12T08:00:00>8</abbr>",
        "<h1>A title of words</h1><local-time datetime=2026-01-12>then</local-time>",
        "<h1>A site</h1><article><aside><time datetime=2026-01-12>then</time></aside><h2>A title of words</h2></article>",
    ] {
        assert_eq!(published(body).as_deref().and_then(|date| date.get(..10)), Some("2026-01-12"), "{body}");
    }
}

#[test]
fn visible_date_replaces_a_publication_date_that_equals_the_last_change() {
    let published = |head: &str, body: &str| {
        let document = parse(&format!("<html lang=en><title>A title</title>{head}{body}")).unwrap();
        read(&Page::new(&document, |_, _| {}), None, None, &Types::default()).published_at
    };
    let made = |day: &str, changed: &str| {
        format!(
            "<script type=application/ld+json>{{\"@type\":\"Article\",\"headline\":\"A title of words\",\
             \"datePublished\":\"{day}\",\"dateModified\":\"{changed}\"}}</script>"
        )
    };
    let visible = "<h1>A title of words</h1><div><p>January 12, 2026</p></div>";
    assert_eq!(published(&made("Feb 3, 2026", "Feb 3, 2026"), visible).as_deref(), Some("2026-01-12"));
    let moment = "2026-02-03T10:00:00Z";
    assert_eq!(published(&made(moment, moment), visible).as_deref(), Some("2026-01-12"));
    // The page was changed after its publication, so the declared date is the date of publication.
    let stated = made(moment, "2026-02-05T10:00:00Z");
    assert_eq!(published(&stated, visible).as_deref(), Some(moment));
    // A date in a sentence, a date after the declared date, and the date of a change are not used.
    for body in [
        "<h1>A title of words</h1><p>On January 12, 2026 the harbour opened again after long works.</p>",
        "<h1>A title of words</h1><p>March 12, 2026</p>",
        "<h1>A title of words</h1><p>Updated <b>January 12, 2026</b></p>",
    ] {
        assert_eq!(published(&made(moment, moment), body).as_deref(), Some(moment), "{body}");
    }
}

#[test]
fn video_upload_date_is_used_only_without_a_publication_date() {
    let film = "<script type=application/ld+json>{\"@type\":\"VideoObject\",\"name\":\"A film\",\
        \"uploadDate\":\"2025-01-16T14:53:35+01:00\"}</script>";
    let stated = "<meta property=article:published_time content=2026-02-03T14:05:00+01:00>";
    let heading = "<h1>A title of words</h1>";
    assert_eq!(
        read_page(&format!("{film}{stated}{heading}")).published_at.as_deref(),
        Some("2026-02-03T14:05:00+01:00")
    );
    assert_eq!(
        read_page(&format!("{film}{heading}")).published_at.as_deref(),
        Some("2025-01-16T14:53:35+01:00")
    );
}

#[test]
fn names_in_one_value_are_separated() {
    let author = |value: &str| {
        read_page(&format!("<meta name=author content=\"{value}\"><h1>A title of words</h1>")).author
    };
    for (value, names) in [
        ("Eva Beispiel und Max Muster, dpa", "Eva Beispiel, Max Muster, dpa"),
        ("Ana Prueba y Luis Ejemplo", "Ana Prueba, Luis Ejemplo"),
        ("Eva Beispiel (eb), Max Muster (mm)", "Eva Beispiel, Max Muster"),
        ("Ada Sample, (Image: Some Agency)", "Ada Sample"),
        ("Jean Sample (SampleSoft)", "Jean Sample (SampleSoft)"),
        ("Sand and Sea", "Sand and Sea"),
    ] {
        assert_eq!(author(value).as_deref(), Some(names));
    }
}

#[test]
fn month_after_a_name_is_not_part_of_the_name() {
    let author = |line: &str| read_page(&format!("<h1>Wheel</h1><div class=author>{line}</div>")).author;
    assert_eq!(author("<a>ada</a> <time>Feb 1, 2026</time>").as_deref(), Some("ada"));
    assert_eq!(author("By Julian May").as_deref(), Some("Julian May"));
}

/// Author of a page with `markup` below the heading.
fn author_of(markup: &str) -> Option<String> {
    read_page(&format!(
        "<html lang=en><title>The ledger</title><h1>The ledger of the harbour</h1>{markup}<p>Text."
    ))
    .author
}

#[test]
fn parts_of_a_byline_are_separated() {
    for (markup, author) in [
        ("<div class=author><a href=/a>Julia Doe</a><span>CEO</span></div>", "Julia Doe"),
        ("<div class=byline><a>Howard Blume</a><p>Staff Writer</p></div>", "Howard Blume"),
        (
            "<div class=byline>By <a rel=author>Julia Doe</a> and <a rel=author>Max Roe</a></div>",
            "Julia Doe, Max Roe",
        ),
        ("<p><a rel=author>Julia Doe</a>, <a rel=author>Max Roe</a></p>", "Julia Doe, Max Roe"),
        ("<div class=author><span>Julia</span><span>Doe</span></div>", "Julia Doe"),
        ("<div class=author><b>Julia B.</b> <b>Doe</b></div>", "Julia B. Doe"),
        ("<div class=post-author><a>Aja Romano</a><a href=/t>@ajaromano</a></div>", "Aja Romano"),
        (
            "<div class=author><span class=name>Julia Doe</span><span class=job>Keeper of lamps</span></div>",
            "Julia Doe",
        ),
        (
            "<div class=author><a>Julia Doe</a><button>Follow</button><span>5 min read</span></div>",
            "Julia Doe",
        ),
        ("<ul class=authors><li>Julia Doe</li><li>Max Roe</li></ul>", "Julia Doe, Max Roe"),
        ("<div class=byline>Words: <a>Julia Doe</a><button>Follow</button></div>", "Julia Doe"),
        (
            "<div class=byline><span class=name-part>Julia</span> <span class=name-part>Doe</span></div>",
            "Julia Doe",
        ),
        ("<span class=author>谢若<span>2017-03-01 14:27:02</span></span>", "谢若"),
        (
            "<div class=byline><a class=author>See full bio</a></div><div class=byline>By Julia Doe</div>",
            "Julia Doe",
        ),
    ] {
        assert_eq!(author_of(markup).as_deref(), Some(author), "{markup}");
    }
    assert_eq!(author_of("<div class=byline><span class=author>Dec 1st 2016 1:01PM</span></div>"), None);
}

#[test]
fn each_element_of_the_same_class_is_a_separate_author() {
    for (markup, expected) in [
        (
            "<div class=article-byline><span class=simple>Birgit Bauer</span>\n<span class=simple>Anna Fink</span></div>",
            "Birgit Bauer, Anna Fink",
        ),
        (
            "<ul class=authors-list><li><span>von</span> <span class=bold>Jemima Kell</span></li>\
             <li><span>von</span> <span class=bold>Anna Fink</span></li></ul>",
            "Jemima Kell, Anna Fink",
        ),
        (
            "<div class=authors><span class=author><a rel=author href=/j>Julia Doe</a></span>, <span class=author>\
             <a rel=author href=/m>Max Roe</a></span></div>",
            "Julia Doe, Max Roe",
        ),
        (
            "<ul><li class=who><b><a rel=author href=/j>Julia Doe</a></b> Senior Reporter</li>\
             <li class=who><b><a rel=author href=/m>Max Roe</a></b> Editor</li></ul>",
            "Julia Doe, Max Roe",
        ),
        // Authors of other articles.
        (
            "<p><a rel=author href=/j>Julia Doe</a></p><p class=x><a rel=author href=/m>Max Roe</a></p>",
            "Julia Doe",
        ),
        (
            "<div class=card><h3>A story</h3><a rel=author href=/j>Julia Doe</a></div>\
             <div class=card><h3>Other story</h3><a rel=author href=/m>Max Roe</a></div>",
            "Julia Doe",
        ),
        (
            r#"<script type="application/ld+json">{"@type":"NewsArticle","author":[
            {"@type":"Person","givenName":"Anna Giulia","familyName":"Fink"}]}</script>"#,
            "Anna Giulia Fink",
        ),
    ] {
        assert_eq!(author_of(markup).as_deref(), Some(expected), "{markup}");
    }
}

#[test]
fn long_element_with_an_author_is_not_read_for_each_author() {
    let wrapper = |text: &str| format!("<div class=w><span class=author>Julia Doe</span> {text}</div>");
    let markup = format!("{}{}", wrapper(&"word ".repeat(200_000)), wrapper("").repeat(20_000));
    assert_eq!(author_of(&markup).as_deref(), Some("Julia Doe"));
}

#[test]
fn authors_are_read_from_the_line_below_the_heading() {
    for (markup, author) in [
        ("<p>By Julia Doe and Max Roe | May 3, 2024</p>", "Julia Doe, Max Roe"),
        ("<p>By <a href=/j>Julia Doe</a> and <a href=/m>Max Roe</a></p>", "Julia Doe, Max Roe"),
        ("<div>Par <b>Julia Doe</b> - Publié le 3 mai 2024</div>", "Julia Doe"),
        ("<p>Von Eva Beispiel, 3. Mai 2024</p>", "Eva Beispiel"),
        ("<p>Posted by jdoe99 on May 3, 2024</p>", "jdoe99"),
        ("<p>May 3, 2024</p><p>by <a href=/u>jdoe99</a> at 2024-05-03 10:00</p>", "jdoe99"),
        ("<p>文/王小明</p>", "王小明"),
        ("<p>2024-05-03</p><p>記者 山田太郎</p>", "山田太郎"),
        ("<p>홍길동 기자</p>", "홍길동"),
        ("<p>Autor: Jan Kowalski, 3 maja 2024</p>", "Jan Kowalski"),
        ("<div>Publicado por <span>Julia da Silva</span> em 3 de maio de 2024</div>", "Julia da Silva"),
        ("<p>Text: <b>Julia Doe</b> <button>Follow</button></p>", "Julia Doe"),
        ("<p><button>Share</button><span>Words:</span><span>Julia Doe</span></p>", "Julia Doe"),
        ("<p>Words by Julia Doe <button>Follow</button></p>", "Julia Doe"),
        ("<p><a href=/authors/julia>Julia Doe</a> · <time>May 3, 2024</time></p>", "Julia Doe"),
        ("<p><a href=/author/julia>Julia Doe</a> · <time>May 3, 2024</time> · 7 min read</p>", "Julia Doe"),
    ] {
        assert_eq!(author_of(markup).as_deref(), Some(author), "{markup}");
    }
    for markup in [
        "<p>By January the harbour was closed.</p>",
        "<p>By the river stood a mill.</p>",
        "<p>Posted by the harbour board</p>",
        "<p>Par exemple, le port</p>",
        "<p>Door County Lighthouse</p>",
        "<p><a href=/authors/>Our Authors</a></p>",
        "<p><a href='/authors/?page=1'>Our Authors</a></p>",
    ] {
        assert_eq!(author_of(markup), None, "{markup}");
    }
}

#[test]
fn first_word_of_a_byline_depends_on_the_page_language() {
    for (language, line, author) in [
        ("it", "di Marco Rossi", "Marco Rossi"),
        ("nl-NL", "Door Jan de Vries", "Jan de Vries"),
        ("nb", "Av Kari Nordmann", "Kari Nordmann"),
        ("de", "Von Julia Doe und Max Roe, Skerrow", "Julia Doe, Max Roe"),
    ] {
        let page = format!(
            "<html lang={language}><title>The ledger</title><h1>The ledger of the harbour</h1><p>{line}</p><p>Text."
        );
        assert_eq!(read_page(&page).author.as_deref(), Some(author), "{line}");
    }
}

#[test]
fn catalogue_names_are_separated_and_written_in_the_usual_order() {
    let fields = |values: &[&str]| {
        let fields = values.iter().map(|value| format!("<meta name=citation_author content=\"{value}\">"));
        read_page(&format!("{}<h1>A title of words</h1>", fields.collect::<String>())).author.unwrap()
    };
    assert_eq!(fields(&["Doe, Julia", "Roe, Max"]), "Julia Doe, Max Roe");
    assert_eq!(fields(&["Julia Doe", "Max Roe"]), "Julia Doe, Max Roe");
    assert_eq!(fields(&["Garcia Lopez, Maria Jose", "Roe, Max"]), "Maria Jose Garcia Lopez, Max Roe");
    assert_eq!(fields(&["Doe, Julia; Roe, Max"]), "Julia Doe, Max Roe");
    assert_eq!(fields(&["Julia Doe, Max Roe"]), "Julia Doe, Max Roe");
}

#[test]
fn site_name_in_an_author_field_is_replaced_by_the_byline() {
    let author = |head: &str, markup: &str| {
        read_page(&format!("<html><head>{head}</head><h1>The ledger of the harbour</h1>{markup}<p>Text."))
            .author
    };
    let byline = "<p>By Julia Doe</p>";
    for head in [
        "<meta name=author content='Harbour Times'><meta property=og:site_name content='Harbour Times'>",
        "<meta name=author content=HT><meta property=og:site_name content='HT - Harbour Times'>",
        "<meta name=author content='Harbour Times, Port City'>\
         <meta property=og:site_name content='Harbour Times'>",
        // The host is `news.example`.
        "<meta name=author content='The News'>",
        "<meta name=author content='Harbour Times'><meta name=author content='Julia Doe'>\
         <meta property=og:site_name content='Harbour Times'>",
    ] {
        assert_eq!(author(head, byline).as_deref(), Some("Julia Doe"), "{head}");
    }
    // Without a byline, the declared author is used.
    let site = "<meta name=author content='Julia Doe'><meta property=og:site_name content='Julia Doe'>";
    assert_eq!(author(site, "").as_deref(), Some("Julia Doe"));
}

#[test]
fn section_name_of_the_page_is_not_an_author() {
    let document = parse(
        r#"<script type="application/ld+json">{"@type":"NewsArticle","author":[{"name":"harbours"},
        {"name":"Julia Doe"}]}</script><h1>The ledger of the harbour</h1>"#,
    )
    .unwrap();
    let page = Page::new(&document, |_, _| {});
    let author = |url: &str| read(&page, Url::parse(url).ok().as_ref(), None, &Types::default()).author;
    assert_eq!(author("https://news.example/harbours/ledger").as_deref(), Some("Julia Doe"));
    assert_eq!(author("https://news.example/ledger").as_deref(), Some("harbours, Julia Doe"));
}

#[test]
fn author_is_read_from_link_previews_and_profiles() {
    let author = |head: &str| {
        read_page(&format!("<html><head>{head}</head><h1>The ledger of the harbour</h1><p>Text.")).author
    };
    for (head, expected) in [
        (
            "<meta name=twitter:label1 content='Written by'><meta name=twitter:data1 content='Julia Doe'>",
            Some("Julia Doe"),
        ),
        (
            "<meta name=twitter:label1 content='Reading time'><meta name=twitter:data1 content='5 minutes'>",
            None,
        ),
        (
            r#"<script type="application/ld+json">{"@graph":[{"@type":"WebPage","author":{"@id":"x/#/schema/person/1"}},
            {"@type":"Person","@id":"x/#/schema/person/1","name":"Julia Doe"}]}</script>"#,
            Some("Julia Doe"),
        ),
        (
            r#"<script type="application/ld+json">{"@graph":[{"@type":"WebPage","name":"The ledger"},
            {"@type":"Person","@id":"x/#/schema/person/1","name":"Julia Doe"}]}</script>"#,
            Some("Julia Doe"),
        ),
        (
            r#"<script type="application/ld+json">{"@graph":[{"@type":"WebPage","name":"The ledger"},
            {"@type":"Person","@id":"x/#/schema/person/1","name":"Julia Doe"},
            {"@type":"Person","@id":"x/#/schema/person/2","name":"Max Roe"}]}</script>"#,
            None,
        ),
    ] {
        assert_eq!(author(head).as_deref(), expected, "{head}");
    }
}

#[test]
fn author_of_a_discussion_is_the_first_poster() {
    let author = |markup: &str| {
        let page = format!("<title>Lamps</title><h1>Which lamp is best for a harbour?</h1>{markup}<p>Text.");
        read_page_of(&page, &Types::certain(PageType::Forum)).author
    };
    for (markup, expected) in [
        (
            "<div class='question js-question' data-author-username=jdoe99><p>Text</p></div>\
             <div class=answer><div itemprop=author><a itemprop=name>Max Roe</a></div></div>",
            "jdoe99",
        ),
        (
            "<article class='message message--post' data-author=jdoe99></article>\
             <article class='message message--post' data-author=mroe></article>",
            "jdoe99",
        ),
        (
            "<p class=author><a><span class=sr-only>Post</span></a> by <a class=username>jdoe99</a> » Mon</p>",
            "jdoe99",
        ),
        ("<div itemprop=author itemscope><meta itemprop=name content=jdoe99></div>", "jdoe99"),
        ("<div class=author_information><b><a href=/u>jdoe99</a></b> Offline</div>", "jdoe99"),
        ("<div class=PostUser><h3 class=PostUser-name>jdoe99</h3></div>", "jdoe99"),
        ("<div class=postleft><dl><dt><b>jdoe99</b></dt><dd>Member</dd></dl></div>", "jdoe99"),
    ] {
        assert_eq!(author(markup).as_deref(), Some(expected), "{markup}");
    }
}

#[test]
fn author_is_read_from_elements_far_from_the_heading() {
    for (markup, author) in [
        ("<span class=post-hero__author>Julia Doe</span>", "Julia Doe"),
        ("<p>Text.</p><p class=autore>di Giulia Rossi | 3 maggio 2024</p>", "Giulia Rossi"),
        ("<p>Text.</p><p class=auteur>Door Jan Jansen</p>", "Jan Jansen"),
        (
            "<div data-component=byline-block><div>Julia Doe</div><div>Example News, Skerrow</div></div>",
            "Julia Doe",
        ),
        ("<div class=Author_wrapper__x1><p class=Author_author__y2>Julia Doe</p></div>", "Julia Doe"),
        ("<p>Text.</p><h4 class=author-box__name>Julia Doe</h4>", "Julia Doe"),
        ("<p>Text.</p><p>Written by <a href=/j>Julia Doe</a></p>", "Julia Doe"),
        ("<p>Text.</p><p>Text von Julia Doe Illustration von Max Roe</p>", "Julia Doe"),
        ("<p>Text.</p><p>Autorin: Julia Doe, leitet den Hafen</p>", "Julia Doe"),
        ("<p>Text.</p><p>Authors: Julia Doe and Max Roe, keepers</p>", "Julia Doe, Max Roe"),
        ("<p>Text.</p><h4>Autor</h4><p>Julia Doe</p>", "Julia Doe"),
        ("<p>Posted on May 3, 2024 by Julia Doe</p>", "Julia Doe"),
        ("<p>03/05/2024 by Julia Doe, Keeper of the lamps</p>", "Julia Doe"),
        ("<div><img alt='Julia Doe' width=40><p>Julia Doe</p><p>Keeper</p></div>", "Julia Doe"),
        ("<div class=byline>By <button>Julia Doe</button></div>", "Julia Doe"),
        ("<p>Von Julia.Doe am 3. Mai 2024</p>", "Julia.Doe"),
        ("<p>Von Julia Doe, dpa</p>", "Julia Doe"),
    ] {
        assert_eq!(author_of(markup).as_deref(), Some(author), "{markup}");
    }
    for markup in [
        "<p>Text.</p><div class=comment-author>Max Roe</div>",
        "<p>Text.</p><p class=author-title>Head Keeper</p>",
        "<p>Text.</p><h4>Author</h4><p>The harbour is old.</p>",
        "<p>Text.</p><p>Text: the first of three parts</p>",
        "<p>In 2024 the lamps were lit by Julia Doe</p>",
        "<figure><img alt='Julia Doe' class=portrait><figcaption>Julia Doe</figcaption></figure>",
        "<div><img alt='Julia Doe'><p>Julia Doe</p></div>",
        "<style id=post-author-css>.author{color:red}</style>",
    ] {
        assert_eq!(author_of(markup), None, "{markup}");
    }
}
