//! Layout of the paragraphs in a plain text: wrapped running text, separate lines, or drawings, tables and
//! listings with significant columns.

/// Minimum number of characters in the longest line of wrapped running text, not counting the last line.
const MIN_WRAPPED_CHARS: usize = 60;
/// Minimum number of characters in the longest line of running text in narrow lines.
const MIN_NARROW_CHARS: usize = 30;
/// Minimum number of characters in the first line of a list item that continues in the next line.
const MIN_HANGING_CHARS: usize = 30;
/// Maximum number of characters by which a wrapped line may be shorter than its next word requires.
const RAGGED_CHARS: usize = 8;
/// Minimum indentation of a listing relative to the running text, in spaces.
const LISTING_INDENT: usize = 4;

/// Layout of a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// Wrapped lines, which are joined.
    Wrapped,
    /// Separate lines, which are not joined.
    Lines,
    /// Lines with columns, which are copied unchanged.
    Fixed,
}

/// Layout of a paragraph in a text with the indentation `base`.
pub(super) fn of(lines: &[&str], base: usize) -> Layout {
    let wrapped = is_wrapped(lines);
    let indents: Vec<usize> = lines.iter().map(|line| indent(line)).collect();
    let least = indents.iter().copied().min().unwrap_or(0);
    let is_hanging = is_hanging_item(lines, &indents);
    let is_ragged = !wrapped && !is_hanging && indents.iter().any(|indent| *indent >= least + 2);
    let is_listing =
        !is_hanging && lines.len() > 1 && least >= base + LISTING_INDENT && !(wrapped && is_prose(lines));
    if is_drawing(lines) || has_columns(lines) || has_leaders(lines) || is_ragged || is_listing {
        Layout::Fixed
    } else if wrapped || is_hanging {
        Layout::Wrapped
    } else {
        Layout::Lines
    }
}

/// True for a single list item in a narrow text, if its further lines are aligned with the text of its first
/// line.
fn is_hanging_item(lines: &[&str], indents: &[usize]) -> bool {
    let ([first, others @ ..], [_, below @ ..]) = (lines, indents) else { return false };
    let mark = first.split_whitespace().next().map_or(0, str::len);
    let words = first.trim_start()[mark..].trim_start();
    let column = first.trim_end().chars().count() - words.trim_end().chars().count();
    is_item(first)
        && !others.is_empty()
        && below.iter().all(|indent| *indent == column)
        && !others.iter().any(|line| is_item(line))
        && first.chars().count() >= MIN_HANGING_CHARS
        && is_prose(lines)
}

/// Indentation of a line, in spaces.
pub(super) fn indent(line: &str) -> usize {
    line.chars().take_while(|c| c.is_whitespace()).map(|c| if c == '\t' { 8 } else { 1 }).sum()
}

/// True for a line that begins a list item.
pub(super) fn is_item(line: &str) -> bool {
    let (first, rest) = line.trim_start().split_once(char::is_whitespace).unwrap_or((line, ""));
    let number = first.trim_start_matches('(').trim_end_matches([')', '.']);
    let is_number = number.len() < first.len()
        && (1..=3).contains(&number.len())
        && (number.bytes().all(|byte| byte.is_ascii_digit()) || number.len() == 1);
    !rest.trim().is_empty() && (matches!(first, "-" | "*" | "+" | "o" | "•" | "–" | "·") || is_number)
}

/// True if a wrapped line continues in the next line. False if the next line is a list item, or indented text
/// below a short title.
pub(super) fn continues(line: &str, next: &str) -> bool {
    let is_title = indent(next) >= indent(line) + 3 && line.chars().count() * 2 < next.chars().count();
    !is_item(next) && !is_title
}

/// True if the lines were wrapped: on most of them, the first word of the next line would have exceeded the
/// width.
fn is_wrapped(lines: &[&str]) -> bool {
    let lengths: Vec<usize> = lines.iter().map(|line| line.trim_end().chars().count()).collect();
    let Some((_, inner)) = lengths.split_last() else { return false };
    let width = lengths.iter().copied().max().unwrap_or(0);
    if !inner.iter().any(|length| *length > MIN_WRAPPED_CHARS) {
        return width >= MIN_NARROW_CHARS && is_narrow_text(lines, &lengths, width);
    }
    let is_full = |length: usize, line: &str, next: &str| {
        let word = next.split_whitespace().next().map_or(0, |word| word.chars().count());
        !continues(line, next) || length + 1 + word + RAGGED_CHARS > width
    };
    let pairs = inner.iter().zip(lines.windows(2));
    let full = pairs.filter(|(length, pair)| is_full(**length, pair[0], pair[1])).count();
    full * 10 >= inner.len() * 6
}

/// True for at least three narrow lines of running text: no line has space for the first word of the next line, and
/// most of the lines continue a sentence. The lines of verse have different lengths.
fn is_narrow_text(lines: &[&str], lengths: &[usize], width: usize) -> bool {
    let is_full = |(length, pair): (&usize, &[&str])| {
        let word = pair[1].split_whitespace().next().map_or(0, |word| word.chars().count());
        !is_item(pair[1]) && length + 1 + word > width
    };
    let below = lines.get(1..).unwrap_or_default();
    let continued = below.iter().filter(|line| line.trim_start().starts_with(char::is_lowercase)).count();
    below.len() > 1 && continued * 2 > below.len() && lengths.iter().zip(lines.windows(2)).all(is_full)
}

/// True for lines that consist mostly of letters and spaces.
fn is_prose(lines: &[&str]) -> bool {
    let all: usize = lines.iter().map(|line| line.trim().chars().count()).sum();
    let letters = lines.iter().flat_map(|line| line.trim().chars());
    letters.filter(|c| c.is_alphabetic() || matches!(c, ' ' | ',' | '.')).count() * 100 >= all * 88
}

/// True if a part of the lines consists of strokes, as in a frame or a tree.
fn is_drawing(lines: &[&str]) -> bool {
    let drawings = lines.iter().filter(|line| is_drawing_line(line)).count();
    drawings > 1 && drawings * 3 >= lines.len()
}

/// True for a line of strokes, possibly with words between them.
pub(super) fn is_drawing_line(line: &str) -> bool {
    let chars: Vec<char> = line.chars().filter(|c| !c.is_whitespace()).collect();
    let strokes = chars.iter().filter(|c| is_stroke(**c)).count();
    let is_framed = chars.len() > 2 && chars.first() == Some(&'|') && chars.last() == Some(&'|');
    let has_box = chars.iter().any(|c| matches!(c, '\u{2500}'..='\u{259f}'));
    has_box || is_framed || chars.len() > 2 && strokes * 2 >= chars.len()
}

fn is_stroke(c: char) -> bool {
    matches!(c, '+' | '-' | '|' | '/' | '\\' | '_' | '=' | '<' | '>' | '^' | '~' | '\'' | '`')
        || matches!(c, '\u{2190}'..='\u{21ff}' | '\u{2500}'..='\u{259f}')
}

/// True if the lines have columns, which are separated by several spaces or a tab.
fn has_columns(lines: &[&str]) -> bool {
    let wide = lines.iter().filter(|line| has_gap(line, 3)).count();
    if wide * 2 >= lines.len() && (wide > 1 || lines.len() == 1 && is_row(lines)) {
        return true;
    }
    let narrow = lines.iter().filter(|line| has_gap(line, 2)).count();
    narrow > 1 && narrow * 2 >= lines.len() && has_blank_column(lines)
}

/// True for a line with at least three columns, or with a wide gap.
fn is_row(lines: &[&str]) -> bool {
    lines.iter().any(|line| {
        let columns = line.trim().split("   ").filter(|part| !part.trim().is_empty()).count();
        columns > 2 || has_gap(line, 8)
    })
}

/// True if a line has a tab or a gap of at least this many spaces. Gaps after the bullet or number of a list
/// item are not counted.
fn has_gap(line: &str, spaces: usize) -> bool {
    let text = line.trim();
    let mut from = 0;
    if let Some((first, _)) = text.split_once([' ', '\t'])
        && is_mark(first)
    {
        from = first.len() + text[first.len()..].chars().take_while(|c| matches!(c, ' ' | '\t')).count();
    }
    let text = &text[from..];
    text.contains('\t') || text.contains(&" ".repeat(spaces)[..])
}

/// True for the number or symbol that precedes a list item, a section or a reference.
fn is_mark(word: &str) -> bool {
    let is_number = word.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '(' | ')' | '-'));
    let is_reference = word.starts_with('[') && word.ends_with(']');
    is_number
        || is_reference
        || word.chars().count() == 1
        || word.chars().count() <= 4 && word.ends_with(['.', ')'])
}

/// True if a column between words is blank in all lines.
fn has_blank_column(lines: &[&str]) -> bool {
    let rows: Vec<Vec<char>> = lines.iter().map(|line| line.trim_end().chars().collect()).collect();
    let start =
        rows.iter().map(|row| row.iter().take_while(|c| c.is_whitespace()).count()).min().unwrap_or(0);
    let width = rows.iter().map(Vec::len).max().unwrap_or(0).min(500);
    (start + 1..width).any(|at| {
        let longer = rows.iter().filter(|row| row.len() > at).count();
        longer * 10 >= rows.len() * 7
            && rows.iter().all(|row| row.get(at).is_none_or(|c| c.is_whitespace()))
            && rows.iter().any(|row| row.get(at - 1).is_some_and(|c| !c.is_whitespace()))
    })
}

/// True for a table of contents in which dots lead to the page numbers.
fn has_leaders(lines: &[&str]) -> bool {
    let leads = |line: &&&str| {
        let text = line.trim();
        text.ends_with(|c: char| c.is_ascii_digit()) && (text.contains(". . .") || text.contains("...."))
    };
    lines.iter().filter(leads).count() * 2 >= lines.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_drawings_tables_and_listings_are_retained() {
        for text in [
            "+------+     +------+\n| lamp |---->| wall |\n+------+     +------+",
            "    a ----> b\n     \\     /\n      `-> c",
            "Name       Height   Width\nlamp       12       3\nwall       240      900",
            "Name  Size\nlamp    12\nwall   240",
            "a\tb\tc\n1\t2\t3",
            "   1.  Introduction . . . . . . . . . . 3\n     1.1.  Purpose  . . . . . . . . . 4",
            "Internet Engineering Task Force (IETF)                   R. Doe, Ed.\nRequest for Comments: 9999                                   Example",
            "if a:\n    b()\nelse:\n    c()",
            "├── src\n│   └── main.rs\n└── docs",
        ] {
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(of(&lines, 0), Layout::Fixed, "{text}");
        }
    }

    #[test]
    fn lines_of_prose_and_lists_may_be_joined() {
        for (text, layout) in [
            (
                "This line was wrapped by an editor at about seventy-two characters,\nand goes on here.  It has two sentences with two spaces.",
                Layout::Wrapped,
            ),
            ("First part\nwith a second line.", Layout::Lines),
            ("1.   Introduction", Layout::Lines),
            (
                "o  One item of a list whose text is longer than one line, so that it\n   goes on in the next one.",
                Layout::Wrapped,
            ),
            ("   o  A bullet of the list that is\n      wrapped over two lines.", Layout::Wrapped),
            (
                "    The first line of this paragraph is indented, as it is in many\nbooks, and the other lines are not.",
                Layout::Wrapped,
            ),
            (
                "2024-01-02 10:00:00 INFO lamp lit by the keeper of the lighthouse at dusk\n2024-01-02 10:00:01 WARN low\n2024-01-02 10:00:02 INFO off",
                Layout::Lines,
            ),
            ("-----", Layout::Lines),
            (
                "The lamp of the tower was lit in the year\nof the comet by the daughter of the\nmason himself. The\nend.",
                Layout::Lines,
            ),
            (
                "The lamp of the tower was lit in the year\nof the comet by the daughter of the first\nmason himself. The keeper of the harbour\nwas there.",
                Layout::Wrapped,
            ),
            (
                "The sea is wide and grey this year,\nthe boats are small,\nthe moon is white above the pier\nupon the wall.",
                Layout::Lines,
            ),
            (
                "Julia Doe, Example Harbour Street,\nHarbour Street of the North 123456\nNorthern Harbours",
                Layout::Lines,
            ),
        ] {
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(of(&lines, 0), layout, "{text}");
        }
        let indented = "   This text is indented by three spaces as all texts of its series are,\n   and that is no listing.";
        assert_eq!(of(&indented.lines().collect::<Vec<_>>(), 3), Layout::Wrapped);
    }
}
