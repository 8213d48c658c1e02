//! Lines in which the site addresses its readers: placeholders of embedded content, sharing, sign-in. They are
//! not part of the text.

use crate::clean::{self, is_eastern};

/// Maximum number of words in a notice.
const MAX_NOTICE_WORDS: usize = 40;
/// Maximum number of words in a label above links to other texts.
const MAX_LABEL_WORDS: usize = 5;

/// Beginnings of notices, in lower case.
const BEGINNINGS: [&str; 43] = [
    "externer inhalt nicht verfügbar",
    "ich bin damit einverstanden, dass mir",
    "personenbezogene daten können an drittplattformen",
    "an dieser stelle finden sie",
    "empfohlener redaktioneller inhalt",
    "external content is not available",
    "this content is hosted by",
    "to view this content",
    "ce contenu est bloqué",
    "este contenido no se puede",
    "teilen sie dies mit",
    "share this:",
    "share this article",
    "like this:",
    "gefällt mir:",
    "wird geladen",
    "partager :",
    "comparte esto:",
    "sie müssen sich einloggen",
    "sie müssen angemeldet sein",
    "du musst angemeldet sein",
    "you must be logged in",
    "please log in to",
    "vous devez être connecté",
    "zum newsletter anmelden",
    "sign up for our newsletter",
    "subscribe to our emails",
    "subscribe to our best newsletters",
    // Appeals to readers below an article.
    "got a story?",
    "do you have a story to tell",
    "get in touch with our news team",
    "for more stories like this",
    "for the latest breaking news and stories",
    "read more news like this",
    "click here to get the",
    "click here to read the",
    "hat ihnen dieser artikel gefallen",
    "rate this article",
    "was this article helpful",
    // Origin of a summary.
    "diese zusammenfassung wurde",
    // Banner of the United States government.
    "official websites use .gov",
    "secure .gov websites use https",
    "a .gov website belongs to",
];

/// Labels of controls, in lower case, without dots after them.
const CONTROL_LABELS: [&str; 9] = [
    "click to expand", "read full article", "read more", "reply with quote", "rate this book",
    "expand description", "expand all",
    // Labels in the banner of the United States government.
    "here's how you know", "here’s how you know",
];

/// Services on which a site asks its readers to follow it, in lower case.
const SERVICES: [&str; 9] = [
    "google news", "twitter", "facebook", "instagram", "telegram", "whatsapp", "youtube", "tiktok",
    "linkedin",
];
/// Maximum number of words between `follow` and `on` in such an appeal.
const MAX_NAME_WORDS: usize = 6;

/// True for a line in which the site addresses its readers, and for a template variable that the page failed to
/// replace.
pub(super) fn is_notice(text: &str) -> bool {
    let text = text.trim();
    let variable = text.strip_prefix("$$").and_then(|rest| rest.strip_suffix("$$"));
    let is_variable = variable.is_some_and(|name| {
        name.len() > 5 && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    });
    is_variable || begins_as_notice(text) || asks_to_follow(text)
}

/// True for a line that begins like a notice. Unlike other notices, these can be headings.
pub(super) fn begins_as_notice(text: &str) -> bool {
    let text = text.trim();
    clean::words(text) <= MAX_NOTICE_WORDS && {
        let lower = text.to_lowercase();
        BEGINNINGS.iter().any(|beginning| lower.starts_with(beginning))
    }
}

/// True for an appeal such as `Follow the Harbour Post on Google News`.
fn asks_to_follow(text: &str) -> bool {
    clean::words(text) <= MAX_NOTICE_WORDS && {
        let lower = text.to_lowercase();
        lower.strip_prefix("follow ").and_then(|rest| rest.split_once(" on ")).is_some_and(
            |(name, service)| {
                clean::words(name) <= MAX_NAME_WORDS
                    && SERVICES.iter().any(|known| service.starts_with(known))
            },
        )
    }
}

/// True for a line that consists of the label of a control, such as `Click to expand...`.
pub(super) fn is_control_label(text: &str) -> bool {
    let label = text.trim().trim_end_matches(['.', '…', ' ']).to_lowercase();
    CONTROL_LABELS.contains(&label.as_str())
}

/// True for a line that can be a label above links, such as `Read more:`.
pub(super) fn may_be_label(text: &str) -> bool {
    let text = text.trim();
    let is_short =
        clean::words(text) <= MAX_LABEL_WORDS && text.chars().filter(|c| is_eastern(*c)).count() <= 8;
    is_short && text.ends_with([':', '：'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_of_the_site_are_recognised_by_their_beginning() {
        for text in [
            "Externer Inhalt nicht verfügbar",
            "Share this:",
            "$$ARTICLEAD$$",
            "Sie müssen sich einloggen, um zu kommentieren.",
        ] {
            assert!(is_notice(text), "{text}");
        }
        for text in
            ["$$x + y$$", "$$E$$", "Share this secret with nobody.", "The external content of the box"]
        {
            assert!(!is_notice(text), "{text}");
        }
        assert!(may_be_label("Mehr lesen:") && !may_be_label("Mehr lesen"));
    }

    #[test]
    fn appeals_to_readers_below_an_article_are_site_notices() {
        for text in [
            "Got a story? Get in touch with our news team by emailing us at news@post.example.",
            "For more stories like this, check our news page.",
            "CLICK HERE TO GET THE HARBOUR POST APP",
            "Hat Ihnen dieser Artikel gefallen? Dann unterstützen Sie uns mit einer Spende.",
            "Was this article helpful?",
        ] {
            assert!(is_notice(text) && begins_as_notice(text), "{text}");
        }
        for text in [
            "Got a boat? The harbour has places.",
            "For more stories of the sea, he went to the keeper.",
            "Click here to see the full list of plants.",
            "Was this information helpful to the judges?",
            "Rate this hotel by its view, not by its breakfast.",
        ] {
            assert!(!is_notice(text), "{text}");
        }
    }

    #[test]
    fn appeals_to_follow_the_site_are_site_notices() {
        for text in [
            "Follow the Harbour Post on Google News and add us as a source.",
            "Follow Post.example on Twitter and Facebook for the latest news.",
            "Follow us on Telegram, Facebook and YouTube.",
            "Follow me on Instagram",
            "Follow the crew on TikTok!",
        ] {
            assert!(is_notice(text) && !begins_as_notice(text), "{text}");
        }
        for text in [
            "Follow the path on the left.",
            "Follow these steps on Windows.",
            "Follow the river for two days until you see the town on Facebook's map.",
            "They follow her on Twitter.",
            "Follow on Instagram",
        ] {
            assert!(!is_notice(text), "{text}");
        }
    }

    #[test]
    fn banner_of_a_government_is_a_notice() {
        for text in [
            "Official websites use .gov",
            "A .gov website belongs to an official government organization in the United States.",
            "Secure .gov websites use HTTPS",
        ] {
            assert!(begins_as_notice(text), "{text}");
        }
        for text in ["Here's how you know", "Here’s how you know"] {
            assert!(is_control_label(text), "{text}");
        }
        for text in ["How you know that a website is official", "Here's how you know that a boat leaks"] {
            assert!(!is_notice(text) && !is_control_label(text), "{text}");
        }
    }

    #[test]
    fn label_of_a_control_is_recognised_by_its_whole_text() {
        for text in
            ["Click to expand...", "Read More", "Read full article", "Reply with quote", " Expand all "]
        {
            assert!(is_control_label(text), "{text}");
        }
        for text in ["Read more books", "Click to expand the list of ships", "Expand", "...", ""] {
            assert!(!is_control_label(text), "{text}");
        }
    }
}
