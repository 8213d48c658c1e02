//! Export of the cards of highlights as tab-separated text, which Anki imports as notes with a front and a back. Values
//! are HTML. Anki skips lines that begin with `#`, except in the header. Quoted text cannot become a directive of Anki,
//! such as `[sound:…]` and `[latex]`, or a formula of a spreadsheet program.

use super::bookmarks::escape;
use super::table::is_formula;
use crate::highlight_cards::{CardFace, CardPiece, HIDDEN_WORDS, HighlightCard};
use crate::highlight_picture::HighlightPicture;
use crate::highlights::Highlight;

/// Header with the format of the lines and the names of the columns.
pub(super) const HEAD: &str =
    "#separator:tab\n#html:true\n#columns:Front\tBack\tSource\tTags\n#tags column:4\n";

/// Formats the card of a highlight as a line. A card that does not fit its quote becomes a comment that names
/// the problem. `None` if the highlight has no card.
pub(super) fn line(highlight: &Highlight) -> Option<String> {
    let row = &highlight.row;
    let card = HighlightCard::of(row)?;
    let [front, mut back] = match card.face(&row.quote) {
        CardFace::Gaps(pieces) => sides_of(&pieces),
        CardFace::Question { question, answer } => {
            [html(question), format!("{}<br><br>{}", html(answer), html(&row.quote))]
        }
        CardFace::Unfit => {
            return Some(format!(
                "# The card of the highlight {} does not fit its words: left out.\n",
                row.id
            ));
        }
    };
    if let Some(HighlightPicture { url, alt }) = HighlightPicture::of(row) {
        let alt = alt.unwrap_or_default();
        back.push_str(&format!("<br><img src=\"{}\" alt=\"{}\">", html(&url), html(&alt)));
    }
    let title = highlight.item_title.as_deref().unwrap_or_default();
    let source = match highlight.source_url.as_deref() {
        Some(url) => {
            format!("<a href=\"{}\">{}</a>", html(url), html(if title.is_empty() { url } else { title }))
        }
        None => html(title),
    };
    // Tags are not HTML. Spaces separate them.
    let is_separator = |character: char| character.is_whitespace() || character == '"';
    let tags: Vec<String> = highlight.tags.iter().map(|tag| tag.replace(is_separator, "_")).collect();
    let tags = tags.join(" ");
    let tags = if is_formula(&tags) { format!("_{tags}") } else { tags };
    let cells = [front, back, source].map(|cell| without_formula(&cell)).into_iter().chain([tags]);
    let cells: Vec<String> = cells.collect();
    Some(format!("{}\n", cells.join("\t")))
}

/// Returns the quote with its words hidden, and the quote with these words in bold.
fn sides_of(pieces: &[CardPiece<'_>]) -> [String; 2] {
    let [mut front, mut back] = [String::new(), String::new()];
    for piece in pieces {
        let text = html(piece.text);
        if piece.is_hidden {
            front.push_str(HIDDEN_WORDS);
            back.push_str(&format!("<b>{text}</b>"));
        } else {
            front.push_str(&text);
            back.push_str(&text);
        }
    }
    [front, back]
}

/// Escapes a text as HTML in one line and without tabs. A `#` at the beginning would make the line a comment, and a `[`
/// could begin a directive.
fn html(text: &str) -> String {
    let escaped = escape(text).replace('#', "&#35;").replace('[', "&#91;").replace('\n', "<br>");
    escaped.replace('\r', "").replace('\t', " ")
}

/// Escapes the first character of a cell that could begin a formula.
fn without_formula(cell: &str) -> String {
    match cell.chars().next().filter(|_| is_formula(cell)) {
        Some(first) => format!("&#{};{}", u32::from(first), cell.get(first.len_utf8()..).unwrap_or_default()),
        None => cell.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::highlight_cards::{CardGap, NewCard};
    use entities::ids::{AccountId, HighlightId};
    use entities::library_highlight;
    use entities::library_words::{AnchorStatus, HighlightColor};

    fn highlight(quote: &str, card: Option<&HighlightCard>) -> Highlight {
        let row = library_highlight::Model {
            id: HighlightId::from_u128(1),
            account_id: AccountId::MAX,
            sequence: 0,
            item_id: None,
            detached_from: None,
            item_title: None,
            source_url: None,
            quote: quote.to_owned(),
            picture_url: None,
            picture_alt: None,
            prefix: String::new(),
            suffix: String::new(),
            hint: None,
            note: None,
            color: HighlightColor::Yellow,
            anchor: None,
            end_anchor: None,
            start_offset: None,
            end_offset: None,
            page: None,
            anchor_status: AnchorStatus::Orphaned,
            external_id: None,
            review_day: None,
            review_step: 0,
            card: card.map(|card| card.to_column().unwrap()),
            stored_bytes: 0,
            created_at: 0,
            updated_at: 0,
        };
        Highlight {
            row,
            tags: vec!["to learn".to_owned(), "c#".to_owned()],
            item_title: Some("Boats & \"ships\"".to_owned()),
            source_url: Some("https://example.org/?a=1&b=2".to_owned()),
            item_author: None,
        }
    }

    #[test]
    fn card_line_contains_front_back_source_and_tags() {
        let gaps = vec![CardGap { start: 4, text: "<ferry>".to_owned() }];
        let source = "<a href=\"https://example.org/?a=1&amp;b=2\">Boats &amp; &quot;ships&quot;</a>";
        assert_eq!(
            line(&highlight("The <ferry>\tleaves\nsoon", Some(&HighlightCard::Gaps { gaps }))).unwrap(),
            format!(
                "The […] leaves<br>soon\tThe <b>&lt;ferry&gt;</b> leaves<br>soon\t{source}\tto_learn c#\n"
            )
        );
        let new = NewCard::Question { question: "#1?".to_owned(), answer: "=[sound:x]".to_owned() };
        let question = HighlightCard::create(new, "").unwrap();
        let text = line(&highlight("The ferry", Some(&question))).unwrap();
        assert!(text.starts_with("&#35;1?\t&#61;&#91;sound:x]<br><br>The ferry\t<a "), "{text}");
        assert_eq!(text.matches('\t').count(), HEAD.matches('\t').count());
    }

    #[test]
    fn picture_of_the_highlight_is_on_the_back() {
        let gaps = vec![CardGap { start: 0, text: "A".to_owned() }];
        let mut marked = highlight("A boat", Some(&HighlightCard::Gaps { gaps }));
        marked.row.picture_url = Some("https://a.example/b.png?x=1&y=2".to_owned());
        marked.row.picture_alt = Some("\"Boat\"".to_owned());
        let picture = "<br><img src=\"https://a.example/b.png?x=1&amp;y=2\" alt=\"&quot;Boat&quot;\">";
        let text = line(&marked).unwrap();
        assert!(text.starts_with(&format!("[…] boat\t<b>A</b> boat{picture}\t")), "{text}");
    }

    #[test]
    fn card_that_does_not_fit_its_quote_becomes_a_comment() {
        let gaps = vec![CardGap { start: 0, text: "boat".to_owned() }];
        let text = line(&highlight("The ferry", Some(&HighlightCard::Gaps { gaps }))).unwrap();
        assert!(text.starts_with("# The card of the highlight ") && text.ends_with("left out.\n"), "{text}");
        assert_eq!(line(&highlight("The ferry", None)), None);
    }
}
