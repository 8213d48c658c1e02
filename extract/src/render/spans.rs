//! Splits the text of a block into steps: the start and the end of each mark, always properly nested, and the
//! text between them.

use crate::document::{Block, Mark, Style, bound};

/// Step through a text: the start or end of a mark, or text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SpanStep<'b> {
    Start(Style),
    Text(&'b str),
    End(Style),
}

/// Lines of a table, each with its marks.
pub(super) fn marked_lines(block: &Block) -> impl Iterator<Item = (&str, Vec<Mark>)> {
    block.text.lines().map(|line| {
        let start = line.as_ptr().addr() - block.text.as_ptr().addr();
        let [start, end] = [start, start + line.len()].map(bound);
        let first = block.marks.partition_point(|mark| mark.start < start);
        let marks = block.marks[first..].iter().take_while(|mark| mark.start < end);
        // The marks of a stored document may not be sorted.
        let shifted = |mark: &Mark| {
            let from = mark.start.checked_sub(start)?;
            Some(Mark { start: from, end: mark.end.min(end).checked_sub(start)?, ..*mark })
        };
        (line, marks.filter_map(shifted).collect())
    })
}

/// Returns the steps through a text with these marks.
pub(crate) fn steps<'t>(text: &'t str, marks: &[Mark]) -> Vec<SpanStep<'t>> {
    let mut steps = Vec::new();
    let mut open: Vec<(usize, Style)> = Vec::new();
    let mut at = 0;
    for mark in marks {
        let Some((start, end)) = range(text, mark) else { continue };
        // Marks are sorted. A mark is dropped if it begins before the last step or extends beyond the
        // enclosing mark.
        close_until(&mut steps, &mut open, text, &mut at, start);
        if start < at || open.last().is_some_and(|(outer, _)| end > *outer) {
            continue;
        }
        push_text(&mut steps, text, &mut at, start);
        steps.push(SpanStep::Start(mark.style));
        open.push((end, mark.style));
    }
    close_until(&mut steps, &mut open, text, &mut at, text.len());
    push_text(&mut steps, text, &mut at, text.len());
    steps
}

fn range(text: &str, mark: &Mark) -> Option<(usize, usize)> {
    let start = usize::try_from(mark.start).ok()?;
    let end = usize::try_from(mark.end).ok()?;
    text.get(start..end).filter(|stretch| !stretch.is_empty()).map(|_| (start, end))
}

fn close_until<'b>(
    steps: &mut Vec<SpanStep<'b>>,
    open: &mut Vec<(usize, Style)>,
    text: &'b str,
    at: &mut usize,
    until: usize,
) {
    while let Some((end, style)) = open.pop_if(|(end, _)| *end <= until) {
        push_text(steps, text, at, end);
        steps.push(SpanStep::End(style));
    }
}

fn push_text<'b>(steps: &mut Vec<SpanStep<'b>>, text: &'b str, at: &mut usize, until: usize) {
    if *at < until {
        steps.push(SpanStep::Text(&text[*at..until]));
        *at = until;
    }
}
