//! Reads HTML: checks limits, parses the page once, and extracts main part, blocks and metadata.

mod blocks;
mod boilerplate;
mod bylines;
pub(crate) mod cell;
mod code;
mod code_lines;
mod data_table;
pub(crate) mod disclosures;
mod drawings;
mod embeds;
mod enclosure;
mod equations;
mod fallback;
mod gaps;
pub(crate) mod hidden;
mod image_sources;
pub(crate) mod inline;
pub(crate) mod main_part;
mod math;
mod media;
mod next_links;
mod notes;
mod pictures;
mod product;
mod roles;
mod script_state;
mod selected_part;
mod shadow_roots;
mod site_notices;
mod streamed_parts;
mod table;
mod tabs;
mod templates;
mod whole_page;

use url::Url;

pub(crate) use self::{
    blocks::Converted,
    math::of_markup_text as formula_of_markup,
    media::is_file_name,
    selected_part::selected_blocks,
    whole_page::{read_mail, read_whole_page, whole_page},
};
use self::{disclosures::Disclosures, main_part::MainPart};
use crate::{
    charset, clean,
    document::{Block, ExtractionSource, Input, Warning},
    draft::{Draft, DraftResult, ReadError},
    limits, metadata,
    page::{Page, parse, xhtml},
    quality, render,
};

pub(crate) fn read_input(input: &Input) -> DraftResult {
    let markup = xhtml::decode(&input.bytes, input.content_type.as_deref());
    let media_type = input.content_type.as_deref().map(charset::essence).filter(|kind| kind.contains("html"));
    let draft = read(&markup, input.url.as_deref()).map_err(ReadError::TooComplex)?;
    Ok(Draft { media_type, ..draft })
}

/// Reads the markup of a page. The error names the exceeded limit.
pub(crate) fn read(markup: &str, url: Option<&str>) -> Result<Draft, String> {
    let page = parse_page(markup)?;
    let address = url.and_then(|url| Url::parse(url).ok());
    let base = base(&page, address.as_ref());
    let mut hidden = hidden::find(&page);
    let disclosures = Disclosures::open(&page, &mut hidden);
    let MainPart { mut keep, types } = main_part::find(&page, address.as_ref(), &hidden, &disclosures);
    let mut plan = templates::plan(&page, &types, &hidden, &mut keep);
    let is_discussion = !plan.posts.is_empty();
    let first_poster = plan.first_author();
    plan.posts.extend(tabs::names(&page, &mut keep, &disclosures.sections));
    plan.notes = disclosures.notes;
    // The comments of a discussion are its content, so they get no role.
    if !is_discussion {
        plan.roles = roles::find(&page, &types, &hidden, &mut keep);
    }
    let Converted { mut blocks, mut is_partial } = blocks::convert(&page, 0, &keep, base.as_ref(), &plan);
    let mut source = ExtractionSource::Html;
    if is_almost_empty(&blocks)
        && let Some(embedded) = fallback::longest_text(&page)
    {
        blocks = embedded;
        is_partial = false;
        source = ExtractionSource::StructuredData;
    }
    let meta = metadata::read(&page, address.as_ref(), base.as_ref(), &types);
    bylines::remove(&mut blocks, &meta);
    product::complete(&page, &types, &mut blocks);
    roles::assign_by_text(&mut blocks, &types, meta.title.as_deref().unwrap_or(""));
    let mut draft = Draft {
        title: meta.title,
        author: meta.author.or(first_poster),
        publisher: meta.publisher,
        published_at: meta.published_at,
        modified_at: meta.modified_at,
        language: meta.language,
        canonical_url: meta.canonical_url,
        source: Some(source),
        blocks,
        ..Draft::default()
    };
    if hidden::was_removed(&page, &hidden, &keep) {
        draft.warnings.push(Warning::HiddenTextRemoved);
    }
    quality::assess(&page, address.as_ref(), &types, &mut draft);
    if is_partial {
        draft.report_missing_part();
    }
    let words = next_links::words(&draft.blocks);
    draft.next_links = next_links::find(&page, address.as_ref(), base.as_ref(), draft.category, words);
    Ok(draft)
}

/// True if the blocks contain so little text that data embedded in the page is used instead. For most pages,
/// the first few blocks are sufficient to return false.
fn is_almost_empty(blocks: &[Block]) -> bool {
    let mut words = 0;
    let is_enough = blocks.iter().any(|block| {
        words += clean::words(&block.text);
        words >= fallback::EMPTY_WORDS
    });
    !is_enough && clean::words(&render::text(blocks)) < fallback::EMPTY_WORDS
}

/// Parses markup into a page. The error names the exceeded limit.
pub(crate) fn parse_page(markup: &str) -> Result<Page, String> {
    limits::check(markup)?;
    let document = parse::parse(markup)?;
    streamed_parts::move_parts(&document, markup);
    shadow_roots::unfold(&document, markup);
    Ok(Page::take(document))
}

/// Base URL against which links are resolved.
pub(crate) fn base(page: &Page, address: Option<&Url>) -> Option<Url> {
    let declared = (1..page.len()).find(|&id| page.is(id, "base")).and_then(|id| page.value(id, "href"));
    match (declared, address) {
        (Some(href), Some(address)) => address.join(href).ok().or_else(|| Some(address.clone())),
        (Some(href), None) => Url::parse(href).ok(),
        (None, address) => address.cloned(),
    }
    .filter(|url| matches!(url.scheme(), "http" | "https"))
}

#[cfg(test)]
mod tests;
