//! Summaries by the language model that the operator configured, for accounts whose person switched it on.
//!
//! A request writes a row and a job. The job sends the text to the model (`exchange`), marked as untrusted
//! (`prompt`), and stores the checked answer (`answer`) as plain text. An answer never changes anything else.

mod account_rows;
mod answer;
mod budget;
mod consent;
mod exchange;
pub mod job_kinds;
mod prompt;
mod source_text;
mod summary;
mod summary_job;

pub use account_rows::ModelRows;
pub use consent::{ModelInfo, give_consent, has_consent, model_info, withdraw_consent};
pub use entities::model_task::ModelTaskState;
pub use prompt::{MAX_OWN_TAGS, MAX_TEXT_CHARS};
pub use summary::{ItemSummary, get_summary, request_summary};
