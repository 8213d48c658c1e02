//! Monitors changes of web pages: observes sources, compares snapshots, and renders changes.
//!
//! [`observe()`] converts a body to a [`Snapshot`] and is intended for the child processes of `sandbox`. All
//! other functions work on snapshots, which are plain data without access to clock, network or database.
//! Snapshots store texts in NFC with white space collapsed. Masks and ignore rules are applied at each
//! comparison, with the same normalisation for [`fingerprint`], [`compare()`] and triggers. Therefore they
//! can be changed without a new fetch.

mod align;
mod blocks;
mod calendar;
mod compare;
mod compare_blocks;
mod compare_items;
mod compare_urls;
mod comparison;
mod condition;
mod css_matches;
mod doubt;
mod embedded;
mod evaluator;
mod excerpt;
mod file;
mod filter;
mod image;
mod invalid;
mod items;
mod json;
mod known_source;
mod learn;
mod line_text;
mod marks;
mod masks;
mod matching;
mod normalize;
mod numbers;
mod observation;
mod observation_warning;
mod observe;
mod older_form;
mod operation;
mod page_list;
mod page_source;
mod pair;
mod part;
mod part_selectors;
mod presence;
mod product;
mod quantity;
pub mod render;
mod response_head;
mod selectors;
mod similarity;
mod sitemap;
mod snapshot;
mod suggest;
mod suggestion;
mod target;
mod tokens;
mod trigger;
mod truth;
mod unwatched;
mod urls;
mod value_store;
mod visual;
mod wall;

pub(crate) use self::css_matches::css_matches;
pub use self::{
    compare::compare,
    comparison::{Comparison, MAX_OPERATIONS},
    condition::{Condition, ConditionGroup, Join, MAX_GROUPS, MAX_TESTS, TestKind, ValueTest},
    css_matches::css_fault,
    doubt::{Doubt, doubt},
    evaluator::{EvaluationInput, Reading, is_denied, is_nameless, matches, readings},
    filter::{Filter, FilterKind, MAX_FILTERS, check_filters},
    image::PICTURE_BITS,
    invalid::{Invalid, InvalidReason, MAX_TEXT_CHARS},
    known_source::known_sources,
    learn::learn,
    masks::{LearnedMask, Masks},
    normalize::{DefaultMasks, Rules, fingerprint},
    observation::{FilterStep, Observation, ObservationWarning, ObserveError},
    observe::{ObservationPurpose, ObserveInput, observe, observe_input},
    operation::{DiffSpan, Kind, Op, Operation},
    page_list::{LIST_FIELD, PageList, PageListItem, list_target, page_list},
    part_selectors::{PartKind, PartSelector, part_selectors},
    response_head::response_head,
    selectors::MAX_SELECTOR_CHARS,
    sitemap::MAX_URLS,
    snapshot::{DecodeError, ExtractedItem, FieldValue, Snapshot, SnapshotBlock, SnapshotError, UrlEntry},
    suggestion::{KnownSource, Suggestion, SuggestionKind},
    target::{
        Ignore, MAX_FIELDS, MAX_IGNORES, MAX_PATTERNS, NumberChoice, Target, WatchedField, check_ignores,
    },
    trigger::{MAX_REPEAT_HOURS, Trigger, TriggerKind},
    truth::{Truths, Verdict},
    unwatched::{Unwatched, UnwatchedReason, unwatched},
    visual::{VISIBLE_SHARE, screenshot_size},
    wall::{Suspicion, Wall},
};

#[cfg(test)]
mod tests;
