//! Normalisation for fingerprints, comparisons and triggers: drops ignored texts, omits masked ranges, and
//! sorts lists whose order does not matter.

use std::{collections::HashMap, time::Instant};

use regex::Regex;
use sha2::{Digest, Sha256};

use super::{
    masks::{LearnedMask, Masks},
    matching::SearchText,
    operation::Kind,
    snapshot::{ExtractedItem, Snapshot, SnapshotBlock, UrlEntry},
    target::{self, Ignore},
};
use crate::{
    noise::{self, TextRole},
    text_hash::{LINK, LISTED, Mask, hash, masked_hash, merge, mix},
};

/// Maximum number of bytes of a text that is searched with the regular expressions of ignore rules.
const MAX_REGEX_TEXT: usize = 64 * 1024;
/// Maximum number of bytes of a snapshot that are searched with the regular expressions of ignore rules.
const MAX_REGEX_TOTAL: usize = 512 * 1024;
/// Minimum number of bytes of a text whose search may take longer than reading the clock.
const LONG_TEXT: usize = 1024;
/// Maximum number of blocks of a page on which masked blocks, such as a counter or a clock, are treated as
/// its content.
const FEW_BLOCKS: usize = 3;
/// Ignored text that denotes the dates of a sitemap.
const LASTMOD: &str = "lastmod";

/// Rules of a comparison. Two snapshots and their fingerprints can only be compared under the same rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// Ignored texts and expressions. Selectors have no effect: they were applied by
    /// [`observe`](super::observe()).
    pub ignore: Vec<Ignore>,
    /// Learned noise of the source.
    pub masks: Masks,
    /// True if the order of list items matters.
    pub ordered: bool,
    /// Built-in masks to apply.
    pub defaults: DefaultMasks,
    /// True if controls and asides are compared, too.
    pub has_margin: bool,
    /// Text of the trigger. If a long text contains it, the excerpt of that text includes it.
    pub words: Option<String>,
    /// Minimum number of bits in which the hashes of two pictures differ. `None` if the snapshots are not
    /// pictures.
    pub picture_bits: Option<u32>,
    /// Minimum share of the pixels in which two screenshots differ, in hundredths of a percent. `None` if the
    /// snapshots are not screenshots.
    pub visible_share: Option<u32>,
}

/// Use of the built-in masks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DefaultMasks {
    /// The built-in masks apply.
    #[default]
    Apply,
    /// Texts are compared without the built-in masks.
    Skip,
}

/// SHA-256 of the normalised snapshot. Two snapshots of the same kind have the same fingerprint under the
/// same rules if and only if [`compare`](super::compare()) finds no difference.
///
/// There are two exceptions in which the fingerprints differ without a difference: all dates of a sitemap
/// were set to the same day, or two pictures or screenshots are similar. Rules that
/// [`check_ignores`](super::check_ignores) rejects are skipped.
pub fn fingerprint(snapshot: &Snapshot, rules: &Rules) -> [u8; 32] {
    let rules = CompiledRules::new(rules);
    let mut digest = Sha256::new();
    match snapshot {
        Snapshot::Blocks(blocks) => {
            for key in canonical(&rules.blocks(blocks, None).unwrap_or_default()) {
                digest.update(key.to_le_bytes());
            }
        }
        Snapshot::Urls(urls) => {
            for entry in urls.iter().filter(|entry| rules.is_compared(&entry.url)) {
                digest.update(rules.url_key(entry).to_le_bytes());
            }
        }
        Snapshot::Items(items) => {
            for (_, key) in rules.items(items) {
                digest.update(key.to_le_bytes());
            }
        }
    }
    digest.finalize().into()
}

/// Role of each text. A date, clock or count below a heading or label is content, and so are further such
/// values directly after it.
pub(super) fn text_roles(blocks: &[SnapshotBlock]) -> Vec<TextRole> {
    let mut is_labelled = false;
    let roles = blocks.iter().enumerate().map(|(at, block)| {
        let role = block.kind.text_role();
        let before = at.checked_sub(1).map(|before| &blocks[before]);
        let has_label = || is_labelled || before.is_some_and(is_label);
        // Few texts are values, so the search for labels is the last condition.
        is_labelled = role == TextRole::Running && noise::is_value(&block.text) && has_label();
        if is_labelled { TextRole::Labelled } else { role }
    });
    roles.collect()
}

fn is_label(block: &SnapshotBlock) -> bool {
    match block.kind {
        Kind::Heading => noise::names_content(&block.text),
        Kind::Paragraph => noise::is_label(&block.text),
        _ => false,
    }
}

/// Rules compiled for one comparison.
pub(super) struct CompiledRules<'r> {
    /// Ignored texts in lower case.
    texts: Vec<String>,
    regexes: Vec<Regex>,
    learned: HashMap<u32, Vec<&'r LearnedMask>>,
    lastmod: bool,
    ordered: bool,
    defaults: DefaultMasks,
    has_margin: bool,
    words: Option<SearchText>,
    picture_bits: Option<u32>,
    visible_share: Option<u32>,
}

/// Normalised block.
pub(super) struct NormalizedBlock {
    /// Index of the block in the snapshot.
    pub(super) at: usize,
    /// Hash of the text and the links.
    pub(super) key: u64,
    /// Hash of the text.
    pub(super) text_key: u64,
    /// Masked ranges of the text, sorted and disjoint.
    pub(super) masks: Vec<Mask>,
    /// True if the block belongs to a list whose order does not matter.
    pub(super) listed: bool,
}

/// Keys in canonical order: the keys of a list whose order does not matter are sorted.
pub(super) fn canonical(entries: &[NormalizedBlock]) -> Vec<u64> {
    let mut keys: Vec<u64> = entries.iter().map(|entry| entry.key).collect();
    let mut from = 0;
    for run in entries.chunk_by(|one, other| one.listed == other.listed) {
        if run[0].listed {
            keys[from..from + run.len()].sort_unstable();
        }
        from += run.len();
    }
    keys
}

impl<'r> CompiledRules<'r> {
    pub(super) fn new(rules: &'r Rules) -> Self {
        let mut compiled = Self {
            texts: Vec::new(),
            regexes: Vec::new(),
            learned: HashMap::new(),
            lastmod: !rules.masks.lastmod,
            ordered: rules.ordered,
            defaults: rules.defaults,
            has_margin: rules.has_margin,
            words: rules.words.as_deref().map(SearchText::new),
            picture_bits: rules.picture_bits,
            visible_share: rules.visible_share,
        };
        for rule in &rules.ignore {
            match rule {
                Ignore::Text(text) if text.trim().is_empty() => {}
                Ignore::Text(text) => {
                    compiled.lastmod &= !text.trim().eq_ignore_ascii_case(LASTMOD);
                    compiled.texts.push(super::line_text::tidy(text).to_lowercase());
                }
                Ignore::Regex(pattern) => compiled.regexes.extend(target::regex(pattern)),
                Ignore::Selector(_) => {}
            }
        }
        for learned in &rules.masks.learned {
            compiled.learned.entry(learned.position).or_default().push(learned);
        }
        compiled
    }

    /// Text of the trigger.
    pub(super) fn words(&self) -> Option<&SearchText> {
        self.words.as_ref()
    }

    /// Minimum number of bits in which the hashes of pictures differ.
    pub(super) fn picture_bits(&self) -> Option<u32> {
        self.picture_bits
    }

    /// Minimum share of the pixels in which screenshots differ, in hundredths of a percent.
    pub(super) fn visible_share(&self) -> Option<u32> {
        self.visible_share
    }

    pub(super) fn ordered(&self) -> bool {
        self.ordered
    }

    /// True if no ignore rule drops the text.
    pub(super) fn is_compared(&self, text: &str) -> bool {
        if self.texts.is_empty() {
            return true;
        }
        let lower = text.to_lowercase();
        !self.texts.iter().any(|ignored| lower.contains(ignored.as_str()))
    }

    /// Text without the parts that the ignore rules remove.
    pub(super) fn without_ignored(&self, text: &str) -> String {
        if !self.is_compared(text) {
            return String::new();
        }
        let mut masks = Vec::new();
        let _ = self.match_regexes(text, &mut { MAX_REGEX_TEXT }, None, &mut masks);
        merge(&mut masks);
        let mut left = text.to_owned();
        for mask in masks.into_iter().rev() {
            left.replace_range(mask, " ");
        }
        left
    }

    /// Normalises the blocks to compare, in order. `None` if the deadline passed.
    pub(super) fn blocks(
        &self,
        blocks: &[SnapshotBlock],
        deadline: Option<Instant>,
    ) -> Option<Vec<NormalizedBlock>> {
        // Reading the clock takes as long as normalising a short block, so it is not read for every block.
        let stride = if self.regexes.is_empty() { 1024 } else { 8 };
        let mut budget = MAX_REGEX_TOTAL;
        let mut entries: Vec<NormalizedBlock> = Vec::with_capacity(blocks.len());
        let roles = text_roles(blocks);
        let skip_defaults = self.skips_defaults(blocks, &roles);
        for (at, block) in blocks.iter().enumerate() {
            if at % stride == stride - 1 && deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return None;
            }
            if self.is_outside(block) || !self.is_compared(&block.text) || self.is_learned(block) {
                continue;
            }
            let learned = self.learned.get(&block.position).map_or(&[][..], Vec::as_slice);
            let mut masks = if skip_defaults { Vec::new() } else { noise::masks(&block.text, roles[at]) };
            if !masks.is_empty() && noise::is_only_date_context(&block.text, &masks) {
                continue;
            }
            let holes = learned.iter().find_map(|learned| learned.holes(&block.text)).unwrap_or_default();
            // If a part of the text differs at each fetch, its links differ, too.
            let links = if holes.is_empty() { block.links.as_slice() } else { &[] };
            masks.extend(holes);
            self.match_regexes(&block.text, &mut budget, deadline, &mut masks)?;
            merge(&mut masks);
            let listed = !self.ordered && block.list != 0;
            let text_key = masked_hash(&block.text, &masks) ^ if listed { LISTED } else { 0 };
            let key = links.iter().fold(text_key, |key, link| mix(key ^ hash(link), LINK));
            entries.push(NormalizedBlock { at, key, text_key, masks, listed });
        }
        Some(entries)
    }

    /// True if the built-in masks do not apply. If a page has only a few blocks and all of them are masked,
    /// the user wants to watch these blocks.
    pub(super) fn skips_defaults(&self, blocks: &[SnapshotBlock], roles: &[TextRole]) -> bool {
        let compared = || blocks.iter().zip(roles).filter(|(block, _)| !self.is_outside(block));
        let is_masked =
            |(block, role): (&SnapshotBlock, &TextRole)| !noise::masks(&block.text, *role).is_empty();
        self.defaults == DefaultMasks::Skip
            || compared().take(FEW_BLOCKS + 1).count() <= FEW_BLOCKS && compared().all(is_masked)
    }

    /// True for a control or aside that the rules exclude.
    pub(super) fn is_outside(&self, block: &SnapshotBlock) -> bool {
        block.is_marginal && !self.has_margin
    }

    /// True if a learned mask hides the whole block.
    pub(super) fn is_learned(&self, block: &SnapshotBlock) -> bool {
        let learned = self.learned.get(&block.position);
        learned.is_some_and(|learned| learned.iter().any(|learned| learned.words.is_none()))
    }

    /// Adds the ranges that match the expressions. `None` if the deadline passed between two expressions.
    fn match_regexes(
        &self,
        text: &str,
        budget: &mut usize,
        deadline: Option<Instant>,
        masks: &mut Vec<Mask>,
    ) -> Option<()> {
        if self.regexes.is_empty() {
            return Some(());
        }
        let mut end = text.len().min(MAX_REGEX_TEXT).min(*budget);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        *budget -= end;
        for regex in &self.regexes {
            let hits = regex.find_iter(&text[..end]).map(|hits| hits.range());
            masks.extend(hits.filter(|range| !range.is_empty()));
            if end > LONG_TEXT && deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return None;
            }
        }
        Some(())
    }

    /// True if the dates of a sitemap are compared.
    pub(super) fn has_dates(&self) -> bool {
        self.lastmod
    }

    /// Key of a URL, with its date if dates are compared.
    pub(super) fn url_key(&self, entry: &UrlEntry) -> u64 {
        let date = entry.lastmod.as_deref().filter(|_| self.lastmod).unwrap_or("");
        mix(hash(&entry.url) ^ hash(date).rotate_left(32), LINK)
    }

    /// Indexes and keys of items, in the order in which they are compared.
    pub(super) fn items(&self, items: &[ExtractedItem]) -> Vec<(usize, u64)> {
        let mut keys: Vec<(usize, u64)> = items
            .iter()
            .enumerate()
            .map(|(at, item)| {
                // The order of fields does not matter, so their hashes are added. A field without a value is
                // treated as missing.
                let fields = item.fields.iter().filter(|field| field.value.is_some());
                let values = fields.map(|field| {
                    mix(hash(&field.name).rotate_left(17) ^ self.value_key(field.value.as_deref()), LINK)
                });
                let values_key = values.fold(0, u64::wrapping_add);
                (at, mix(hash(&item.key) ^ values_key.rotate_left(29), LINK))
            })
            .collect();
        if !self.ordered {
            keys.sort_by_key(|&(_, key)| key);
        }
        keys
    }

    /// Key of a field's value. Only the built-in mask for relative times applies, because the user selected
    /// the field, so that counters and dates are content.
    pub(super) fn value_key(&self, value: Option<&str>) -> u64 {
        let Some(value) = value else { return 0 };
        if !self.is_compared(value) {
            return 1;
        }
        let mut masks = match self.defaults {
            DefaultMasks::Apply => noise::relative_times(value),
            DefaultMasks::Skip => Vec::new(),
        };
        let _ = self.match_regexes(value, &mut { MAX_REGEX_TEXT }, None, &mut masks);
        merge(&mut masks);
        masked_hash(value, &masks)
    }
}
