//! Local parts of inbox addresses: two words and four digits. They are secrets that people can read aloud.

use kernel::Domain;

/// Words, one per line.
const WORDS: &str = include_str!("words.txt");
/// Number of four-digit numbers.
const NUMBERS: u32 = 10_000;

/// Creates a random local part, such as `copper-meadow-4821`.
pub(crate) fn random(domain: &Domain) -> String {
    let [first, second, number] = [(); 3].map(|()| u32::from_be_bytes(domain.random()));
    format!("{}-{}-{:04}", word(first), word(second), number % NUMBERS)
}

fn word(random: u32) -> &'static str {
    let count = WORDS.lines().count();
    let index = usize::try_from(random).unwrap_or_default() % count.max(1);
    WORDS.lines().nth(index).unwrap_or("mail")
}

/// Returns the local part of an address at `domain`, in lower case and without a suffix after `+`. `None` if
/// the address has another domain.
pub(crate) fn of_address(address: &str, domain: &str) -> Option<String> {
    let (local, host) = address.trim().rsplit_once('@')?;
    let local = local.split('+').next().unwrap_or(local);
    (host.eq_ignore_ascii_case(domain) && !local.is_empty()).then(|| local.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn address_words_are_distinct_and_in_lower_case_ascii() {
        let words: HashSet<&str> = WORDS.lines().collect();
        assert_eq!(words.len(), WORDS.lines().count());
        assert!(words.len() >= 256, "{}", words.len());
        let is_plain =
            |word: &&str| (3..=8).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_lowercase());
        assert!(words.iter().all(is_plain));
    }

    #[test]
    fn address_of_another_domain_has_no_local_part() {
        let of = |address| of_address(address, "in.example.org");
        assert_eq!(of("Copper-Meadow-4821@IN.example.org").as_deref(), Some("copper-meadow-4821"));
        assert_eq!(of("a-b-1+shop@in.example.org").as_deref(), Some("a-b-1"));
        for other in
            ["a@example.org", "a", "@in.example.org", "+x@in.example.org", "a@in.example.org@evil.example"]
        {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
