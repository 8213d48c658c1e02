//! Deletes summaries, briefings, questions, requests about passages, vectors, choices, and consent when their account
//! is deleted.

use identity::account_rows::AccountRows;

/// Deletes an account's rows of the language model when the account is deleted.
#[derive(Clone, Copy, Debug)]
pub struct ModelRows;

impl AccountRows for ModelRows {
    fn tables(&self) -> &'static [&'static str] {
        &[
            "entry_embedding", "item_embedding", "item_summary", "meaning_search", "model_briefing",
            "model_choice", "model_consent", "model_import_tagging", "model_item_index", "model_passage",
            "model_question",
        ]
    }
}
