//! Rewrites the glyph widths of fonts. `pdf-extract` omits the last glyph of a range that has a single width,
//! so ranges are rewritten as lists.

use pdf_extract::{Document, Object};

/// Maximum number of glyphs in a range. Fonts with a longer range are not rewritten.
const MAX_RANGE: i64 = 65_536;
/// Maximum number of widths of a file that are rewritten.
const MAX_WIDTHS: i64 = 2_000_000;

/// Rewrites all width ranges as lists.
pub(super) fn expand_ranges(document: &mut Document) {
    let mut left = MAX_WIDTHS;
    let fonts: Vec<_> = document
        .objects
        .iter()
        .filter_map(|(id, object)| {
            let font = object.as_dict().ok().filter(|font| font.has(b"W"))?;
            let font_type = font.get(b"Type").and_then(Object::as_name).ok()?;
            (font_type == b"Font").then_some(*id)
        })
        .collect();
    for id in fonts {
        let widths = document.get_dictionary(id).and_then(|font| document.dereference(font.get(b"W")?));
        let Some(widths) = widths.ok().and_then(|(_, widths)| expanded(widths.as_array().ok()?, &mut left))
        else {
            continue;
        };
        if let Ok(font) = document.get_object_mut(id).and_then(Object::as_dict_mut) {
            font.set("W", widths);
        }
    }
}

fn expanded(widths: &[Object], left: &mut i64) -> Option<Vec<Object>> {
    let mut out = Vec::new();
    let mut rest = widths;
    loop {
        match rest {
            [first, list @ (Object::Array(_) | Object::Reference(_)), others @ ..] => {
                out.extend([first.clone(), list.clone()]);
                rest = others;
            }
            [first, last, width, others @ ..] => {
                let count = last.as_i64().ok()?.checked_sub(first.as_i64().ok()?)?.checked_add(1)?;
                *left -= count;
                if !(1..=MAX_RANGE).contains(&count) || *left < 0 {
                    return None;
                }
                let list = (0..count).map(|_| width.clone()).collect();
                out.extend([first.clone(), Object::Array(list)]);
                rest = others;
            }
            _ => return Some(out),
        }
    }
}
