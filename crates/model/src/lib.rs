//! Summaries of items, briefings over unread entries, answers to questions and about passages, explanations of changes, and
//! search by meaning with the operator's language model, for accounts whose person consented.
//!
//! A request writes a row and a job. If the account has chosen so, storing the text of a new item also writes them. The
//! job sends the text to the model (`exchange`), marked as untrusted (`prompt`), and stores the checked answer
//! (`answer`) as plain text. If the account has chosen so, the tags of an answer are attached to their item. An answer
//! never changes anything else.

mod account_rows;
mod answer;
mod answer_language;
mod automatic_summary;
mod briefing;
mod briefing_job;
mod budget;
mod choice;
mod consent;
mod embedding;
mod entry_index;
mod exchange;
mod explanation_job;
mod import_tagging;
mod item_index;
mod item_index_job;
mod item_index_queue;
pub mod job_kinds;
mod meaning_search;
mod meaning_search_job;
mod model_task;
mod own_prompt;
mod passage;
mod passage_job;
mod prompt;
mod question;
mod question_answer;
mod question_history;
mod question_items;
mod question_job;
mod question_source;
mod question_subject;
mod question_text;
mod reason;
mod reciprocal_rank;
mod source_text;
mod summary;
mod summary_job;
mod vector_index;

pub use account_rows::ModelRows;
pub use answer::MAX_TAGS;
pub use answer_language::AnswerLanguage;
pub use automatic_summary::AutomaticSummaries;
pub use briefing::{Briefing, BriefingLine, get_briefing, request_briefing};
pub use choice::{AccountChoices, MAX_EXCLUDED_TAGS, ModelChoice, NewChoice, get_choice, set_choice};
pub use consent::{
    ModelInfo, give_consent, has_consent, model_info, require_embeddings, require_model, withdraw_consent,
};
pub use entities::item_summary::SummaryParts;
pub use entities::meaning_search::SearchedTexts;
pub use entities::model_passage::PassageTask;
pub use entities::model_task::ModelTaskState;
pub use entry_index::{MAX_INDEXED_STARRED, MAX_INDEXED_UNREAD};
pub use import_tagging::MAX_IMPORTED_PER_DAY;
pub use item_index::MAX_INDEXED_CHARS;
pub use meaning_search::{MAX_QUERY_CHARS, MeaningSearch, latest_search, request_search};
pub use own_prompt::{MAX_OWN_PROMPTS, MAX_PROMPT_CHARS, MAX_PROMPT_NAME_CHARS, OwnPrompt};
pub use passage::{
    MAX_PASSAGE_CHARS, MAX_PASSAGE_WAIT, ModelPassage, NewPassage, PassageWish, latest_passage,
    request_passage, store_note,
};
pub use passage_job::{MAX_CONTEXT_CHARS, MAX_PASSAGE_TEXT_CHARS};
pub use prompt::{MAX_BRIEFING_ENTRIES, MAX_ENTRY_CHARS, MAX_OWN_TAGS, MAX_TEXT_CHARS};
pub use question::{
    EarlierQuestion, MAX_CONVERSATION, MAX_QUESTION_CHARS, ModelQuestion, NewQuestion, QuotedSentence,
    ask_question, latest_question,
};
pub use question_history::{MAX_HISTORY_CHARS, MAX_SENT_QUESTIONS};
pub use question_job::MAX_QUESTION_ITEMS;
pub use question_subject::QuestionSubject;
pub use reason::reason_words;
pub use summary::{ItemSummary, get_summary, request_summary};
