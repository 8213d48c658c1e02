//! Language into which the language model translates passages for an account.

use crate::online::{self, Part};

const UP: &[Part] = &[Part::Column("model_choice", "translation_language", "text")];

const DOWN: &[Part] = &[Part::NoColumn("model_choice", "translation_language")];

online::online!(UP, DOWN);
