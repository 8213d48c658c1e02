//! Reads a body of any format into a snapshot. Called in a sandbox child process.

use std::collections::HashSet;

use dom_query::{Document, NodeId};
use serde::{Deserialize, Serialize};
use url::Url;

use super::{
    blocks, calendar, embedded, file,
    filter::{self, Filter},
    image,
    items::{self, ItemSource},
    json, known_source,
    line_text::tidy,
    observation::{Observation, ObservationWarning, ObserveError},
    operation::Kind,
    page_source::{MatchedIds, SelectablePage, SelectedPart},
    part, presence, product, response_head,
    selectors::{self, Selector},
    sitemap,
    snapshot::{ExtractedItem, Snapshot, SnapshotBlock},
    suggest,
    suggestion::Suggestion,
    target::{Ignore, Target, WatchedField},
    visual, wall,
    wall::{PageFront, Suspicion},
};
use crate::{
    charset,
    document::{BlockKind, ExtractionOutcome, Input},
    formats, html, limits,
    page::{Page, parse, xhtml},
    pipeline,
    xpath::XPath,
};

/// Maximum number of characters in a title.
const MAX_TITLE_CHARS: usize = 300;

/// Body to read, with its target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObserveInput {
    /// Body after content decoding.
    pub bytes: Vec<u8>,
    /// Value of the `Content-Type` header.
    pub content_type: Option<String>,
    /// Final URL after redirects. Links are resolved against it.
    pub url: Option<String>,
    pub target: Target,
    /// Ignore rules. Their selectors are applied while the body is read; their other parts are applied at
    /// each comparison.
    pub ignore: Vec<Ignore>,
    /// Filters of the blocks of a page.
    #[serde(default)]
    pub filters: Vec<Filter>,
    #[serde(default)]
    pub purpose: ObservationPurpose,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ObservationPurpose {
    /// Comparison with the baseline.
    #[default]
    Run,
    /// Preview for a user who selects a target.
    Preview,
}

/// Reads the target from a body. The result depends only on the input.
pub fn observe_input(input: &ObserveInput) -> Result<Observation, ObserveError> {
    let ObserveInput { bytes, content_type, url, target, ignore, filters, purpose } = input;
    let mut observation = observe(bytes, content_type.as_deref(), url.as_deref(), target, ignore)?;
    if !filters.is_empty() && observation.absent.is_none() {
        observation = filtered(observation, filters, *purpose);
    }
    if *purpose == ObservationPurpose::Preview {
        let sources = url.iter().flat_map(|url| known_source::suggestions(url));
        observation.suggestions = sources.chain(suggestions(bytes, content_type.as_deref())).collect();
    }
    Ok(observation)
}

/// Applies the filters to the blocks of a page.
fn filtered(mut observation: Observation, filters: &[Filter], purpose: ObservationPurpose) -> Observation {
    let Snapshot::Blocks(blocks) = observation.snapshot else { return observation };
    let (mut states, blocks): (Vec<_>, Vec<_>) = blocks.into_iter().partition(presence::is_presence);
    let filtered = filter::apply(blocks, filters);
    if filtered.is_cut {
        ObservationWarning::TruncatedSource.add_to(&mut observation.warnings);
    }
    if filtered.blocks.is_empty() {
        observation.warnings.push(ObservationWarning::PatternsLeaveNothing);
    }
    if purpose == ObservationPurpose::Preview {
        observation.steps = filtered.steps;
    }
    states.extend(filtered.blocks);
    observation.snapshot = Snapshot::Blocks(states);
    observation
}

/// Other parts of a page that may be watched. Empty for other sources and for pages that cannot be parsed.
pub(super) fn suggestions(bytes: &[u8], content_type: Option<&str>) -> Vec<Suggestion> {
    if !formats::is_html(content_type, bytes) {
        return Vec::new();
    }
    let markup = xhtml::decode(bytes, content_type);
    if limits::check(&markup).is_err() {
        return Vec::new();
    }
    let Ok(document) = parse::parse(&markup) else { return Vec::new() };
    let page = Page::take(document);
    product::suggestion(&page).into_iter().chain(suggest::of(&page)).collect()
}

/// Reads the target from a body as [`observe_input`] does, with separate arguments.
pub fn observe(
    bytes: &[u8],
    content_type: Option<&str>,
    base_url: Option<&str>,
    target: &Target,
    ignore: &[Ignore],
) -> Result<Observation, ObserveError> {
    let mime = content_type.map(charset::essence).unwrap_or_default();
    let text = || charset::decode(bytes, content_type);
    let markup = || xhtml::decode(bytes, content_type);
    let is_lines = || {
        mime == "text/plain" && formats::looks_like_text(bytes)
            || !selects(target) && formats::is_plain(content_type, bytes, base_url)
    };
    let address = base_url.and_then(|url| Url::parse(url).ok());
    let mut observation = match target {
        Target::Sitemap { include, exclude } => {
            sitemap::read(bytes, content_type, address.as_ref(), include, exclude)?
        }
        Target::Calendar => calendar::read(bytes, content_type)?,
        Target::File => file::read(bytes),
        Target::Image => image::read(bytes, content_type)?,
        Target::Visual { .. } => visual::read(bytes)?,
        Target::Headers { .. } => response_head::read(bytes)?,
        _ if json::is_json(&mime, bytes) => json::read(&text(), target)?,
        _ if target.is_json() && formats::is_html(content_type, bytes) => embedded_json(&markup(), target)?,
        _ if target.is_json() => json::read(&text(), target)?,
        _ if is_lines() => lines(&text(), target)?,
        _ if formats::is_html(content_type, bytes) || selects(target) => {
            page(&markup(), address.as_ref(), target, ignore)?
        }
        _ => other(bytes, content_type, base_url)?,
    };
    if let Snapshot::Blocks(blocks) = &observation.snapshot {
        // A wall may consist only of controls.
        let is_wall = observation.suspicion.is_some_and(|suspicion| suspicion.is_certain);
        if blocks.is_empty() && observation.absent.is_none() && !is_wall {
            return Err(ObserveError::NoText);
        }
        if blocks.len() >= blocks::MAX_BLOCKS {
            ObservationWarning::TruncatedSource.add_to(&mut observation.warnings);
        }
    }
    observation.title = observation.title.map(|title| tidy(&title)).filter(|title| !title.is_empty());
    if let Some(title) = &mut observation.title
        && let Some((end, _)) = title.char_indices().nth(MAX_TITLE_CHARS)
    {
        title.truncate(end);
    }
    Ok(observation)
}

fn selects(target: &Target) -> bool {
    matches!(target, Target::Page { selector: Some(_) } | Target::Extract { .. } | Target::Product)
}

/// Reads the JSON that a page embeds.
fn embedded_json(markup: &str, target: &Target) -> Result<Observation, ObserveError> {
    let too_complex = |reason| ObserveError::TooComplex { reason };
    limits::check(markup).map_err(too_complex)?;
    let page = Page::take(parse::parse(markup).map_err(too_complex)?);
    let data = embedded::read(&page);
    let mut observation = json::read_value(data.root, target)?;
    if data.is_cut {
        ObservationWarning::TruncatedSource.add_to(&mut observation.warnings);
    }
    observation.language = language(&page);
    observation.title = title(&page);
    Ok(observation)
}

fn language(page: &Page) -> Option<String> {
    page.find(0, "html").and_then(|id| page.value(id, "lang")).map(str::to_owned)
}

fn title(page: &Page) -> Option<String> {
    page.find(0, "title").map(|id| page.folded_text(id))
}

/// Parses markup once, and converts the matched nodes to indexes of the flat tree.
fn page(
    markup: &str,
    address: Option<&Url>,
    target: &Target,
    ignore: &[Ignore],
) -> Result<Observation, ObserveError> {
    let too_complex = |reason| ObserveError::TooComplex { reason };
    limits::check(markup).map_err(too_complex)?;
    let document = parse::parse(markup).map_err(too_complex)?;
    let mut warnings = Vec::new();
    let unwanted = unwanted(&document, ignore, &mut warnings)?;
    let (page, mut ids) = MatchedNodes::new(&document).with(target, &mut warnings)?.build(&unwanted);
    let base = html::base(&page, address);
    let source = SelectablePage::new(&page, base.as_ref());
    source.exclude(ignore, &mut ids.unwanted, &mut warnings)?;
    let mut observation = match target {
        Target::Page { selector: None } => {
            Observation::of(Snapshot::Blocks(with_margin(&page, &ids.unwanted, base.as_ref())))
        }
        Target::Page { selector: Some(selectors) } => {
            all_selected(&source, selectors, &mut ids, &mut warnings)?
        }
        Target::Extract { items, fields } => {
            if let Some(items) = items
                && matches!(Selector::of(items), Selector::XPath(_))
            {
                source.select_part(items, "/items", &mut ids, &mut warnings)?;
            }
            let item_nodes = items.is_some().then_some(ids.matched.as_slice());
            let paths = field_paths(fields)?;
            let items = ItemSource { source: &source, item_nodes, tables: &ids.fields, paths: &paths };
            items::read(&items, fields)?
        }
        Target::Product => product::read(&page),
        Target::Sitemap { .. } => return Err(ObserveError::NotASitemap),
        // These targets are read by other functions.
        Target::Calendar | Target::File | Target::Image | Target::Visual { .. } | Target::Headers { .. } => {
            return Err(ObserveError::absent("/targetType"));
        }
    };
    observation.language = language(&page);
    let title = title(&page);
    let main_part = || blocks::walk(&page, &part::main(&page, &ids.unwanted), base.as_ref());
    let front = PageFront { title: title.as_deref().unwrap_or(""), has_password: has_password(&page) };
    observation.suspicion = suspicion(&observation, front, main_part);
    if observation.suspicion.is_some_and(|suspicion| suspicion.is_certain) {
        warnings.push(ObservationWarning::SuspectText);
    }
    if observation.absent.is_none()
        && matches!(&observation.snapshot, Snapshot::Blocks(blocks) if blocks.is_empty())
    {
        warnings.push(ObservationWarning::JavascriptRequired);
    }
    observation.warnings.drain(..).for_each(|warning| warning.add_to(&mut warnings));
    observation.warnings = warnings;
    observation.title = title;
    Ok(observation)
}

/// Reads the parts of a page that the selectors of the target match.
fn all_selected(
    source: &SelectablePage<'_>,
    selectors: &str,
    ids: &mut MatchedIds,
    warnings: &mut Vec<ObservationWarning>,
) -> Result<Observation, ObserveError> {
    let lines = selectors::of_page(selectors);
    let [_, _, ..] = lines.as_slice() else { return selected(source, selectors, ids, warnings) };
    let mut observation = Observation::without("/selector");
    let mut blocks = Vec::new();
    for (line, matched) in lines.iter().zip(std::mem::take(&mut ids.fields)) {
        ids.matched.fill(false);
        for id in matched {
            ids.matched[id] = true;
        }
        let part = selected(source, line.text, ids, warnings)?;
        let is_present = part.absent.is_none();
        blocks.push(presence::block(line.text, is_present));
        if is_present {
            observation.absent = None;
        }
        if let Snapshot::Blocks(part) = part.snapshot {
            append(&mut blocks, part);
        }
    }
    observation.snapshot = Snapshot::Blocks(blocks);
    Ok(observation)
}

/// Appends blocks. The list numbers of the new blocks continue after those of the existing blocks.
fn append(blocks: &mut Vec<SnapshotBlock>, more: Vec<SnapshotBlock>) {
    let lists = blocks.iter().map(|block| block.list).max().unwrap_or(0);
    blocks.extend(more.into_iter().map(|block| SnapshotBlock {
        list: if block.list == 0 { 0 } else { block.list.saturating_add(lists) },
        ..block
    }));
    blocks.truncate(blocks::MAX_BLOCKS);
}

/// Reads the part of a page that a selector matches.
fn selected(
    source: &SelectablePage<'_>,
    selector: &str,
    ids: &mut MatchedIds,
    warnings: &mut Vec<ObservationWarning>,
) -> Result<Observation, ObserveError> {
    if matches!(Selector::of(selector), Selector::XPath(_))
        && let SelectedPart::Lines(lines) = source.select_part(selector, "/selector", ids, warnings)?
    {
        let is_absent = lines.is_empty();
        let observation = Observation::of(Snapshot::Blocks(lines));
        return Ok(if is_absent { Observation::without("/selector") } else { observation });
    }
    if !ids.matched.contains(&true) {
        return Ok(Observation::without("/selector"));
    }
    let part = part::selected(source.page, &ids.unwanted, &ids.matched);
    Ok(Observation::of(Snapshot::Blocks(blocks::walk(source.page, &part, source.base))))
}

/// For each field, its XPath. `None` for a field with a CSS selector.
fn field_paths(fields: &[WatchedField]) -> Result<Vec<Option<XPath>>, ObserveError> {
    let path = |(at, field): (usize, &WatchedField)| match Selector::of(&field.selector) {
        Selector::XPath(_) => {
            let pointer = format!("/fields/{at}/selector");
            let path = selectors::xpath(&field.selector);
            path.map(Some).map_err(|problem| ObserveError::target(pointer, &problem))
        }
        Selector::Css(_) | Selector::JsonPath(_) | Selector::Jq(_) => Ok(None),
    };
    fields.iter().enumerate().map(path).collect()
}

/// Blocks of the main part, followed by the controls and asides.
fn with_margin(page: &Page, unwanted: &[bool], base: Option<&Url>) -> Vec<SnapshotBlock> {
    let part = part::main(page, unwanted);
    let mut blocks = blocks::walk(page, &part, base);
    if !blocks.is_empty() {
        let mut margin = blocks::walk(page, &part::margin(page, unwanted, &part), base);
        for block in &mut margin {
            block.is_marginal = true;
        }
        append(&mut blocks, margin);
    }
    blocks
}

fn has_password(page: &Page) -> bool {
    (1..page.len()).any(|id| page.is(id, "input") && page.attribute(id, "type") == Some("password"))
}

/// Wall that the observation resembles. If at least one item is complete, the items are not treated as a
/// wall.
fn suspicion(
    observation: &Observation,
    front: PageFront<'_>,
    main_part: impl FnOnce() -> Vec<SnapshotBlock>,
) -> Option<Suspicion> {
    match &observation.snapshot {
        Snapshot::Blocks(blocks) if observation.absent.is_none() => wall::find(front, blocks),
        Snapshot::Items(items) => {
            let is_whole = |item: &ExtractedItem| item.fields.iter().all(|field| field.value.is_some());
            if items.iter().any(is_whole) { None } else { wall::find(front, &main_part()) }
        }
        Snapshot::Blocks(_) => wall::find(front, &main_part()),
        Snapshot::Urls(_) => None,
    }
}

fn unwanted(
    document: &Document,
    ignore: &[Ignore],
    warnings: &mut Vec<ObservationWarning>,
) -> Result<HashSet<NodeId>, ObserveError> {
    let mut unwanted = HashSet::new();
    for (at, rule) in ignore.iter().enumerate() {
        let Ignore::Selector(selector) = rule else { continue };
        let Selector::Css(css) = Selector::of(selector) else { continue };
        let matcher = selectors::css(css)
            .map_err(|problem| ObserveError::target(format!("/ignore/{at}/selector"), &problem))?;
        let matching = selectors::find(document, &matcher, warnings);
        if matching.is_empty() {
            ObservationWarning::IgnoreMatchesNothing.add_to(warnings);
        }
        unwanted.extend(matching);
    }
    Ok(unwanted)
}

/// Nodes that the CSS selectors of the target match. They are determined before the flat tree is built.
struct MatchedNodes<'d> {
    document: &'d Document,
    matched: HashSet<NodeId>,
    fields: Vec<HashSet<NodeId>>,
}

impl<'d> MatchedNodes<'d> {
    fn new(document: &'d Document) -> Self {
        Self { document, matched: HashSet::new(), fields: Vec::new() }
    }

    fn with(mut self, target: &Target, warnings: &mut Vec<ObservationWarning>) -> Result<Self, ObserveError> {
        let mut find = |pointer: &str, selector: &str| {
            let Selector::Css(css) = Selector::of(selector) else { return Ok(HashSet::new()) };
            let matcher = selectors::css(css).map_err(|problem| ObserveError::target(pointer, &problem))?;
            Ok::<HashSet<NodeId>, ObserveError>(
                selectors::find(self.document, &matcher, warnings).into_iter().collect(),
            )
        };
        let mut matched_fields = Vec::new();
        let matched = match target {
            Target::Page { selector: Some(selectors) } => match selectors::of_page(selectors).as_slice() {
                lines @ [_, _, ..] => {
                    for line in lines {
                        matched_fields.push(find("/selector", line.text)?);
                    }
                    HashSet::new()
                }
                _ => find("/selector", selectors)?,
            },
            Target::Extract { items, fields } => {
                for (at, field) in fields.iter().enumerate() {
                    let Selector::Css(css) = Selector::of(&field.selector) else {
                        matched_fields.push(HashSet::new());
                        continue;
                    };
                    let (css, _) = selectors::attribute_of(css);
                    let pointer = format!("/fields/{at}/selector");
                    matched_fields.push(if css.is_empty() { HashSet::new() } else { find(&pointer, css)? });
                }
                items.as_deref().map_or_else(|| Ok(HashSet::new()), |css| find("/items", css))?
            }
            Target::Page { selector: None }
            | Target::Sitemap { .. }
            | Target::Product
            | Target::Calendar
            | Target::File
            | Target::Image
            | Target::Visual { .. }
            | Target::Headers { .. } => HashSet::new(),
        };
        self.matched = matched;
        self.fields = matched_fields;
        Ok(self)
    }

    fn build(self, unwanted: &HashSet<NodeId>) -> (Page, MatchedIds) {
        let mut hits: Vec<(usize, bool, bool)> = Vec::new();
        let mut fields = vec![Vec::new(); self.fields.len()];
        let page = Page::new(self.document, |id, node| {
            let (out, is_matched) = (unwanted.contains(&node.id), self.matched.contains(&node.id));
            if out || is_matched {
                hits.push((id, out, is_matched));
            }
            for (list, matching) in fields.iter_mut().zip(&self.fields) {
                if matching.contains(&node.id) {
                    list.push(id);
                }
            }
        });
        let mut ids =
            MatchedIds { unwanted: vec![false; page.len()], matched: vec![false; page.len()], fields };
        for (id, out, is_matched) in hits {
            ids.unwanted[id] = out;
            ids.matched[id] = is_matched;
        }
        (page, ids)
    }
}

/// Reads plain text line by line.
fn lines(text: &str, target: &Target) -> Result<Observation, ObserveError> {
    match target {
        Target::Page { selector: None } => {}
        Target::Page { .. } => return Err(ObserveError::absent("/selector")),
        Target::Extract { .. } => return Err(ObserveError::absent("/items")),
        Target::Product
        | Target::Calendar
        | Target::File
        | Target::Image
        | Target::Visual { .. }
        | Target::Headers { .. } => {
            return Err(ObserveError::absent("/targetType"));
        }
        Target::Sitemap { .. } => return Err(ObserveError::NotASitemap),
    }
    let blocks = text.lines().map(tidy).filter(|line| !line.is_empty());
    let blocks =
        blocks.take(blocks::MAX_BLOCKS).map(|text| SnapshotBlock { text, ..SnapshotBlock::default() });
    Ok(Observation::of(Snapshot::Blocks(blocks.collect())))
}

/// Reads any other format with the article extraction.
fn other(
    bytes: &[u8],
    content_type: Option<&str>,
    base_url: Option<&str>,
) -> Result<Observation, ObserveError> {
    let input = Input {
        bytes: bytes.to_vec(),
        content_type: content_type.map(str::to_owned),
        url: base_url.map(str::to_owned),
    };
    let document = match pipeline::extract_declared(&input) {
        ExtractionOutcome::Document(document) => document,
        ExtractionOutcome::NoText { .. } => return Err(ObserveError::NoText),
        ExtractionOutcome::Unsupported { mime } => return Err(ObserveError::Unsupported { mime }),
        ExtractionOutcome::TooComplex { reason } => return Err(ObserveError::TooComplex { reason }),
    };
    let mut blocks = Vec::new();
    let mut tables = 0;
    for block in document.blocks {
        if block.kind == BlockKind::Table {
            tables += 1;
            blocks.extend(table_rows(&block.text, tables));
            continue;
        }
        blocks.push(SnapshotBlock {
            kind: match block.kind {
                BlockKind::Heading => Kind::Heading,
                BlockKind::ListItem => Kind::ListItem,
                BlockKind::Code => Kind::Code,
                BlockKind::Figure => Kind::Figure,
                _ => Kind::Paragraph,
            },
            text: tidy(&block.text),
            links: block.links.into_iter().map(|link| link.url).collect(),
            ..SnapshotBlock::default()
        });
    }
    blocks.retain(|block| !block.text.is_empty());
    blocks.truncate(blocks::MAX_BLOCKS);
    let mut observation = Observation::of(Snapshot::Blocks(blocks));
    observation.title = Some(document.title);
    Ok(observation)
}

/// Rows of a Markdown table, each as one line. Empty cells are retained, so that all rows have the same
/// number of columns.
fn table_rows(table: &str, number: u32) -> Vec<SnapshotBlock> {
    let is_rule = |line: &str| line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
    let rows = table.lines().enumerate().filter(|&(at, line)| at != 1 || !is_rule(line));
    let row = |(_, line): (usize, &str)| {
        // An escaped vertical bar is part of its cell.
        let line = line.replace("\\|", "\u{1}");
        let line = line.trim();
        let line = line.strip_prefix('|').unwrap_or(line);
        let line = line.strip_suffix('|').unwrap_or(line);
        let cells: Vec<String> = line.split('|').map(|cell| tidy(&cell.replace('\u{1}', "|"))).collect();
        let is_empty = cells.iter().all(String::is_empty);
        let text = if is_empty { String::new() } else { cells.join(blocks::CELL_SEPARATOR) };
        SnapshotBlock { kind: Kind::Row, text: tidy(&text), list: number, ..SnapshotBlock::default() }
    };
    rows.map(row).collect()
}

#[cfg(test)]
mod tests;
