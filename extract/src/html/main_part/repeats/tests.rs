//! Repeated text that is dropped, and repeated text that is retained.

use super::*;
use crate::{
    html::{hidden, main_part::units, parse_page, read},
    render,
};

/// Texts of the units that remain selected, given that all units of the page were selected.
fn remaining(markup: &str, drop_all_copies: bool) -> Vec<String> {
    let page = parse_page(markup).unwrap();
    let (units, _) = units::split(&page, &hidden::find(&page));
    let siblings = Siblings::of(&page, &units, &super::super::siblings::forms(&page));
    let is_cell = vec![false; units.len()];
    let mut selected = vec![true; units.len()];
    let repeats = Repeats { page: &page, units: &units, siblings: &siblings, is_cell: &is_cell };
    repeats.drop_variants(&mut selected);
    repeats.drop_calls(&mut selected);
    repeats.drop_copies(drop_all_copies, &mut selected);
    let remaining = units.iter().zip(&selected).filter(|(_, is_selected)| **is_selected);
    remaining.map(|(unit, _)| unit.text.trim().to_owned()).collect()
}

fn count(texts: &[String], text: &str) -> usize {
    texts.iter().filter(|other| *other == text).count()
}

const ONE: &str = "The keeper walked round the tower before noon and wrote down what the wind had done.";
const TWO: &str = "Two boats lay by the quay with their nets spread out, and a dog slept in one of them.";

#[test]
fn repeated_call_to_action_is_dropped_and_refrain_is_retained() {
    let note = "Allow external content to see this post in your browser";
    let insert = format!("<div class=embed><p>{note}</p></div>");
    let refrain = "<p>And all the mills along the river turned the whole night long</p>";
    let section = "<section><h3>What we like about it, and what we do not like</h3></section>";
    let insert = format!("{insert}{section}");
    let markup = format!(
        "<article><p>One</p>{insert}{refrain}<p>Two</p>{insert}{refrain}<p>Three</p>{insert}{refrain}</article>"
    );
    let remaining = remaining(&markup, false);
    assert_eq!(count(&remaining, note), 0, "{remaining:?}");
    assert_eq!(remaining.len(), 9, "{remaining:?}");
}

#[test]
fn only_the_first_device_variant_is_retained() {
    let text = format!("<h3>Part</h3><p>{ONE}</p><p>{TWO}</p>");
    let variants = [
        ["<div class=b0><div class=rich>", "</div></div>"],
        ["<div class='text desktop'>", "</div>"],
        ["<div class='row'><div class='text hidden-xs'>", "</div></div>"],
        ["<section style='--w:1'>", "</section>"],
    ];
    for [open, close] in variants {
        let next = [("b0", "b1"), ("desktop", "tablet"), ("hidden-xs", "visible-xs"), ("--w:1", "--w:2")];
        let other = next.iter().fold(open.to_owned(), |open, (one, other)| open.replace(one, other));
        let third = other.replace("b1", "b2").replace("tablet", "phone").replace("visible-xs", "visible-sm");
        let third = third.replace("--w:2", "--w:3");
        let markup = format!(
            "<article><p>First.</p>{open}{text}{close}\n{other}{text}{close}{third}{text}{close}<p>Last.</p></article>"
        );
        let remaining = remaining(&markup, false);
        assert_eq!(remaining, ["First.", "Part", ONE, TWO, "Last."], "{open}");
    }
    let paragraphs =
        format!("<article><p class=wide>{ONE}</p><p class=narrow>{ONE}</p><p class=wide>{TWO}</p></article>");
    assert_eq!(remaining(&paragraphs, false), [ONE, TWO]);
}

#[test]
fn repetition_by_the_author_is_retained() {
    let chorus = "And the light went over the water, and the men on the reef saw it and were glad.";
    let step = "Leave it to dry for an hour in the shade before you go on.";
    let question = "What would you tell a young keeper who comes to the island for the first time?";
    let verse =
        |number: usize| format!("<p>Verse {number} of the song tells what the keeper did that night.</p>");
    let pages = [
        // Sections that end with the same refrain.
        (0..5)
            .map(|at| format!("<section><h2>Part {at}</h2>{}<p>{chorus}</p></section>", verse(at)))
            .collect::<Vec<_>>()
            .concat(),
        // Sections with different class names.
        (0..3)
            .map(|at| format!("<div class=part-{at}>{}<p>{chorus}</p></div>", verse(at)))
            .collect::<Vec<_>>()
            .concat(),
        // A chorus in a separate element.
        (0..3)
            .map(|at| format!("{}<div class=chorus><p>{chorus}</p></div>", verse(at)))
            .collect::<Vec<_>>()
            .concat()
            + &format!("<div class=chorus><p>{chorus}</p></div>"),
        // Steps of a recipe.
        format!(
            "<ol>{}</ol>",
            (0..3)
                .map(|at| format!("<li>{}</li><li><p>{step}</p></li>", verse(at)))
                .collect::<Vec<_>>()
                .concat()
        ),
        // The same question to several people, in bold or in a separate element.
        (0..5)
            .map(|at| {
                format!("<div class=person><h3>Person {at}</h3><p><b>{question}</b></p>{}</div>", verse(at))
            })
            .collect::<Vec<_>>()
            .concat(),
        (0..4)
            .map(|at| format!("<div class=q><p>{question}</p></div><div class=a>{}</div>", verse(at)))
            .collect::<Vec<_>>()
            .concat(),
    ];
    for (at, page) in pages.iter().enumerate() {
        let expected =
            pages[at].matches(chorus).count() + page.matches(step).count() + page.matches(question).count();
        for drop_all_copies in [false, at == 4] {
            let remaining = remaining(&format!("<article>{page}</article>"), drop_all_copies);
            let occurrences =
                count(&remaining, chorus) + count(&remaining, step) + count(&remaining, question);
            assert_eq!(occurrences, expected, "{page}: {remaining:?}");
        }
    }
}

#[test]
fn calls_to_action_are_recognised_by_words_buttons_and_links() {
    let insert = |insert: &str| {
        let markup: String = (0..3)
            .map(|at| format!("<p>Paragraph {at} of the text.</p><div class=box>{insert}</div>"))
            .collect::<Vec<_>>()
            .concat();
        let remaining = remaining(&format!("<article>{markup}</article>"), false);
        remaining.iter().filter(|text| crate::clean::words(text) >= COPIED_WORDS).count()
    };
    for call in [
        "<p>Subscribe to our newsletter and read the best stories of the week first.</p>",
        "<p>An dieser Stelle finden Sie externe Inhalte, die den Artikel ergänzen und hier angezeigt werden.</p>",
        "<p>The map of the harbour shows where the boats lie today.</p><button>Load</button>",
        "<p><a href=/other>How the harbour of the north was built in one summer</a></p>",
    ] {
        assert_eq!(insert(call), 0, "{call}");
    }
    for text in [
        "<p>The map of the harbour shows where the boats lie today.</p>",
        "<p>Would you subscribe to the newsletter of a lighthouse, and why would you?</p>",
        "<p>The map of the harbour shows where the boats lie.</p><p>It is old.</p><button>Load</button>",
    ] {
        assert_eq!(insert(text), 3, "{text}");
    }
}

#[test]
fn article_contains_each_repeated_text() {
    let article = |body: &str| {
        format!(
            "<!doctype html><html lang=en><head><title>The day of the keeper</title><meta property=og:type content=article>\
             <meta property=article:published_time content=2024-05-03T10:00:00Z></head><body><header><nav><a href=/>Home</a></nav>\
             </header><main><article><h1>The day of the keeper</h1><p>{ONE} It was the third storm of that month, and the glass \
             of the lamp room had to be cleaned again.</p>{body}</article></main><footer>© Example</footer></body></html>"
        )
    };
    let text = |body: &str| {
        let reading = read(&article(body), Some("https://example.com/d/x")).unwrap();
        render::text(&reading.blocks)
    };
    let paragraphs = format!(
        "<p>{TWO}</p><p>In the evening the lamp was lit, and the light went over the water as it had done for years.</p>"
    );
    let copies: String = (0..3)
        .map(|at| format!("<div class=b{at}><div class=rich>{paragraphs}</div></div>"))
        .collect::<Vec<_>>()
        .concat();
    let copies = text(&copies);
    assert_eq!((copies.matches(TWO).count(), copies.matches("In the evening").count()), (1, 1), "{copies}");
    let refrain = "And the light went over the water, and the men on the reef saw it and were glad.";
    let sections: String = (0..5)
        .map(|at| {
            format!(
                "<section><h2>Part {at}</h2><p>Sentence {at} of the day tells what else was done, number {at}3 in the ledger, by \
                 the keeper and by the dog that went with him over the rocks.</p><p>{refrain}</p></section>"
            )
        })
        .collect::<Vec<_>>().concat();
    assert_eq!(text(&sections).matches(refrain).count(), 5, "{}", text(&sections));
}
