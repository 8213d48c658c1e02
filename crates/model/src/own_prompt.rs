//! Prompts of the person, which the model applies to passages.

use std::collections::HashSet;

use kernel::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::source_text::{cut_paragraphs, single_line};

/// Maximum number of characters of a custom prompt.
pub const MAX_PROMPT_CHARS: usize = 1_000;
/// Maximum number of prompts for passages.
pub const MAX_OWN_PROMPTS: usize = 20;
/// Maximum length of a prompt name, in characters.
pub const MAX_PROMPT_NAME_CHARS: usize = 40;

/// Prompt of the person for passages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OwnPrompt {
    /// Name on one line, unique in the account.
    pub name: String,
    /// Instruction for the model in the words of the person.
    pub instruction: String,
}

/// Returns prompts without control characters. Prompts with neither a name nor an instruction are left out.
///
/// # Errors
/// `invalid_request` with the field `own_prompts`.
pub(crate) fn validated_prompts(prompts: &[OwnPrompt]) -> Result<Vec<OwnPrompt>> {
    let invalid = |reason: String| Error::invalid_field("own_prompts", reason);
    let (mut validated, mut names) = (Vec::new(), HashSet::new());
    for prompt in prompts {
        let name = single_line(&prompt.name, usize::MAX);
        let Some(instruction) = plain_prompt(&prompt.instruction) else {
            return Err(invalid(format!("must have instructions of at most {MAX_PROMPT_CHARS} characters")));
        };
        if name.is_empty() && instruction.is_empty() {
            continue;
        }
        if name.is_empty() || instruction.is_empty() {
            return Err(invalid("must each have a name and an instruction".to_owned()));
        }
        if name.chars().count() > MAX_PROMPT_NAME_CHARS {
            return Err(invalid(format!("must have names of at most {MAX_PROMPT_NAME_CHARS} characters")));
        }
        if !names.insert(name.to_lowercase()) {
            return Err(invalid("must have different names".to_owned()));
        }
        validated.push(OwnPrompt { name, instruction });
    }
    if validated.len() > MAX_OWN_PROMPTS {
        return Err(invalid(format!("must have at most {MAX_OWN_PROMPTS} prompts")));
    }
    Ok(validated)
}

/// Returns the instruction of a single request without control characters.
///
/// # Errors
/// `invalid_request` with the field `instruction`.
pub(crate) fn validated_instruction(text: &str) -> Result<String> {
    let invalid = |reason: String| Error::invalid_field("instruction", reason);
    let instruction = plain_prompt(text)
        .ok_or_else(|| invalid(format!("must have at most {MAX_PROMPT_CHARS} characters")))?;
    if instruction.is_empty() {
        return Err(invalid("must have visible characters".to_owned()));
    }
    Ok(instruction)
}

/// Returns a prompt without control characters. Empty if it is blank; `None` if it is too long.
pub(crate) fn plain_prompt(text: &str) -> Option<String> {
    let plain = cut_paragraphs(text.trim().lines(), MAX_PROMPT_CHARS + 1);
    (!plain.is_partial).then(|| plain.text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(name: &str, instruction: &str) -> OwnPrompt {
        OwnPrompt { name: name.to_owned(), instruction: instruction.to_owned() }
    }

    #[test]
    fn control_characters_and_blank_prompts_are_removed() {
        let validated =
            validated_prompts(&[prompt(" Law\n terms ", " List\u{7} them. "), prompt(" ", "\n")]).unwrap();
        assert_eq!(validated, [prompt("Law terms", "List them.")]);
    }

    #[test]
    fn instruction_has_no_control_characters_and_a_limited_length() {
        assert_eq!(validated_instruction(" List\u{7} them.\r\nBriefly. ").unwrap(), "List them.\nBriefly.");
        assert!(validated_instruction(&"w".repeat(MAX_PROMPT_CHARS)).is_ok());
        assert!(validated_instruction(&"w".repeat(MAX_PROMPT_CHARS + 1)).is_err());
        assert!(validated_instruction(" \n ").is_err());
    }

    #[test]
    fn prompts_are_limited_in_number_and_length_and_have_unique_names() {
        let is_valid = |prompts: &[OwnPrompt]| validated_prompts(prompts).is_ok();
        let numbered = |count: usize| (0..count).map(|at| prompt(&at.to_string(), "Do.")).collect::<Vec<_>>();
        assert!(is_valid(&numbered(MAX_OWN_PROMPTS)) && !is_valid(&numbered(MAX_OWN_PROMPTS + 1)));
        let of_name = |count: usize| [prompt(&"n".repeat(count), "Do.")];
        assert!(is_valid(&of_name(MAX_PROMPT_NAME_CHARS)) && !is_valid(&of_name(MAX_PROMPT_NAME_CHARS + 1)));
        let of_words = |count: usize| [prompt("n", &"w".repeat(count))];
        assert!(is_valid(&of_words(MAX_PROMPT_CHARS)) && !is_valid(&of_words(MAX_PROMPT_CHARS + 1)));
        assert!(!is_valid(&[prompt("n", " ")]) && !is_valid(&[prompt("", "Do.")]));
        assert!(!is_valid(&[prompt("Terms", "One."), prompt("terms", "Two.")]));
    }
}
