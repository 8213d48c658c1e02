//! Token counts and cuts.

use proptest::prelude::*;

use super::*;

#[test]
fn text_that_fits_is_not_cut() {
    assert_eq!(cut("Two words.", 10), ("Two words.", ""));
}

#[test]
fn cut_prefers_a_sentence_boundary() {
    let (head, rest) = cut("One sentence stands here. Another one follows it and is longer.", 9);
    assert_eq!(head, "One sentence stands here.");
    assert!(rest.starts_with(" Another"));
}

#[test]
fn cut_without_a_sentence_boundary_is_between_words() {
    let text = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda";
    let (head, rest) = cut(text, 5);
    assert!(rest.starts_with(' '), "{head:?} | {rest:?}");
    assert!(count(head) <= 5);
}

#[test]
fn cut_at_zero_tokens_has_an_empty_head() {
    assert_eq!(cut("word", 0), ("", "word"));
}

#[test]
fn long_run_of_spaces_is_counted() {
    assert!(count(&" ".repeat(3_000_000)) > 0);
}

#[test]
fn two_million_letters_without_a_space_are_counted() {
    assert!(count(&"x".repeat(2_000_000)) > 1000);
}

/// Token boundaries of the reference tokenizer.
fn reference_boundaries(text: &str) -> Vec<usize> {
    let tokenizer = tiktoken_rs::o200k_base_singleton();
    let mut end = 0;
    let tokens = tokenizer._decode_native_and_split(tokenizer.encode_ordinary(text));
    tokens
        .map(|token| {
            end += token.len();
            end
        })
        .collect()
}

#[test]
fn tokens_equal_reference_tokenizer_output() {
    for text in [
        "The mill's wheel isn't turning, they'LL say; it's 12345.67 metres.",
        "   indented\n\n  twice \t\r\n\u{a0}\u{3000}x  ",
        "naïve Ångström ΑΒΓ привет שלום مرحبا 日本語のテキスト 한국어 ไทย हिन्दी",
        "fn main() { println!(\"{}\", a//b/c\n\n); } // ---- ====",
        "🎉👨‍👩‍👧 e\u{301} ſs 'ſ It'ſ <|endoftext|> <|endofprompt|>",
        " ",
        "  ",
        "\n",
    ] {
        assert_eq!(token_boundaries(text), reference_boundaries(text), "{text:?}");
    }
    let long = "pneumonoultramicroscopicsilicovolcanoconiosis".repeat(60);
    assert_eq!(token_boundaries(&long), reference_boundaries(&long));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn tokens_of_any_text_equal_reference_tokenizer_output(text in "([a-zA-Z]{1,9}|[ \\t\\n\\r]{1,4}|[0-9]{1,5}|'(s|T|re|ll)|\\PC{1,6}|[!-/:-@]{1,3}|\\p{M}){0,60}") {
        prop_assert_eq!(token_boundaries(&text), reference_boundaries(&text));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn joined_cuts_equal_the_text(text in "[a-zA-Z .,\\n日本語のテキスト。é🎉]{0,400}", max in 4_u32..40) {
        let mut rest = text.as_str();
        let mut joined = String::new();
        while !rest.is_empty() {
            let (head, after) = cut(rest, max);
            prop_assert!(!head.is_empty());
            prop_assert!(count(head) <= max);
            prop_assert_eq!(skip(rest, count(head)), after);
            joined.push_str(head);
            rest = after;
        }
        prop_assert_eq!(joined, text);
    }
}
