//! Enum values as strings in responses, bodies, and parameters. The API description lists all values.

use articles::reader::quotes::QuoteMatch;
use articles::reader::read_jobs::ReadJobState;
use extract::feed::{EpisodeKind, FeedKind};
use extract::imports::{ColumnField, Format, ImportService};
use extract::watch::{Kind, Op};
use extract::{BlockKind, Category, ExtractionSource, Quality, Role, Warning};
use feeds::{CollectionKind, EventKind, Health, SourceKind};
use identity::teams::TeamRole;
use inbox::{InboxDestination, InboxMessageState, UnsubscribeState};
use kernel::tiers::Tier;
use library::transfer::FolderTags;
use library::{
    AnchorStatus, ArticleStatus, CaptureMethod, ClassificationMethod, ContentKind, ExportFormat,
    HighlightColor, ImportServerState, ImportedPartKind, ItemFormat, ItemStatus, ObjectKind, PageCopyFormat,
    PageCopyState, RowOutcome, TextSource, TransferState,
};
use model::{AnswerLanguage, ModelTaskState, PassageTask, SearchedTexts, SummaryParts};
use monitors::{Decision, PauseReason};
use notices::{ChannelKind, ChannelStatus};
use poem_openapi::registry::{MetaSchema, MetaSchemaRef};
use poem_openapi::types::{ParseError, ParseFromParameter, ParseResult, ToJSON, Type};
use serde_json::Value;

use super::fault::Fault;
use super::openapi_type::{inline, openapi_type, response_only};
use super::value::RequestValue;

/// Enum with a string form.
pub trait WordSet: Copy + Send + Sync + 'static {
    /// Returns all values.
    fn set() -> &'static [Self];

    /// Returns the string form of the value.
    fn word(self) -> &'static str;
}

/// Value of a string enum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnumParam<T>(pub T);

#[macro_export]
macro_rules! word_sets {
    ($($set:ty),+ $(,)?) => {$(
        impl WordSet for $set {
            fn set() -> &'static [Self] {
                Self::ALL
            }

            fn word(self) -> &'static str {
                self.as_str()
            }
        }
    )+};
}

impl WordSet for Tier {
    fn set() -> &'static [Self] {
        &Self::ALL
    }

    fn word(self) -> &'static str {
        self.as_str()
    }
}

impl WordSet for AnswerLanguage {
    fn set() -> &'static [Self] {
        Self::ALL
    }

    fn word(self) -> &'static str {
        self.tag()
    }
}

word_sets!(
    AnchorStatus,
    ArticleStatus,
    BlockKind,
    CaptureMethod,
    Category,
    ChannelKind,
    ChannelStatus,
    ExportFormat,
    ClassificationMethod,
    CollectionKind,
    ColumnField,
    Decision,
    ContentKind,
    EpisodeKind,
    EventKind,
    InboxDestination,
    InboxMessageState,
    UnsubscribeState,
    ExtractionSource,
    Format,
    FeedKind,
    FolderTags,
    ModelTaskState,
    Health,
    HighlightColor,
    ImportServerState,
    ImportedPartKind,
    ImportService,
    ItemFormat,
    ItemStatus,
    Kind,
    ObjectKind,
    Op,
    PageCopyFormat,
    PageCopyState,
    feeds::MutationOp,
    feeds::NamedRewrite,
    feeds::RewriteField,
    PassageTask,
    PauseReason,
    Quality,
    QuoteMatch,
    Role,
    RowOutcome,
    SearchedTexts,
    SummaryParts,
    library::transfer::RowSelection,
    SourceKind,
    ReadJobState,
    TeamRole,
    TransferState,
    TextSource,
    Warning,
);

openapi_type!(
    [T: WordSet] EnumParam<T>,
    "word",
    inline(MetaSchema {
        enum_items: T::set().iter().map(|word| word.word().into()).collect(),
        ..MetaSchema::new("string")
    })
);
response_only!([T: WordSet] EnumParam<T>);

impl<T: WordSet> ToJSON for EnumParam<T> {
    fn to_json(&self) -> Option<Value> {
        Some(self.0.word().into())
    }
}

/// Parses a value. The error lists the allowed values.
fn parse<T: WordSet>(text: &str) -> Result<EnumParam<T>, String> {
    let known = T::set().iter().copied().find(|word| word.word() == text);
    known.map(EnumParam).ok_or_else(|| {
        let words: Vec<&str> = T::set().iter().map(|word| word.word()).collect();
        match words.split_last() {
            Some((last, others)) if !others.is_empty() => format!("must be {} or {last}", others.join(", ")),
            _ => format!("must be {}", words.concat()),
        }
    })
}

impl<T: WordSet> RequestValue for EnumParam<T> {
    fn schema() -> MetaSchemaRef {
        Self::schema_ref()
    }

    fn parse(value: &Value) -> Result<Self, Fault> {
        parse(value.as_str().unwrap_or_default()).map_err(Fault::new)
    }
}

impl<T: WordSet> ParseFromParameter for EnumParam<T> {
    fn parse_from_parameter(text: &str) -> ParseResult<Self> {
        parse(text).map_err(ParseError::custom)
    }
}
