//! Detects the language of a text.

use crate::document::{Block, BlockKind};

/// Maximum number of bytes of text that detection uses.
const SAMPLE_BYTES: usize = 4000;

/// BCP 47 tag of the language. `None` if the text is too short for a reliable result.
pub(crate) fn detect(blocks: &[Block]) -> Option<String> {
    let mut sample = String::new();
    for block in blocks.iter().filter(|block| block.kind != BlockKind::Code) {
        sample.push_str(&block.text);
        sample.push('\n');
        if sample.len() > SAMPLE_BYTES {
            break;
        }
    }
    tag_of(&sample)
}

/// BCP 47 tag of the language in which a text begins. `None` if the text is too short for a reliable result.
pub fn language_of(text: &str) -> Option<String> {
    tag_of(&text[..text.floor_char_boundary(SAMPLE_BYTES)])
}

fn tag_of(sample: &str) -> Option<String> {
    let detection = whatlang::detect(sample)?;
    detection.is_reliable().then(|| bcp47_code(detection.lang().code()))
}

/// ISO 639-3 codes with the corresponding two-letter codes.
const CODES: &[(&str, &str)] = &[
    ("eng", "en"),
    ("deu", "de"),
    ("fra", "fr"),
    ("spa", "es"),
    ("por", "pt"),
    ("ita", "it"),
    ("nld", "nl"),
    ("rus", "ru"),
    ("ukr", "uk"),
    ("bel", "be"),
    ("pol", "pl"),
    ("ces", "cs"),
    ("slk", "sk"),
    ("slv", "sl"),
    ("hrv", "hr"),
    ("srp", "sr"),
    ("bul", "bg"),
    ("mkd", "mk"),
    ("ron", "ro"),
    ("hun", "hu"),
    ("fin", "fi"),
    ("est", "et"),
    ("lav", "lv"),
    ("lit", "lt"),
    ("swe", "sv"),
    ("dan", "da"),
    ("nob", "nb"),
    ("tur", "tr"),
    ("aze", "az"),
    ("kaz", "kk"),
    ("uzb", "uz"),
    ("tuk", "tk"),
    ("ell", "el"),
    ("heb", "he"),
    ("yid", "yi"),
    ("ara", "ar"),
    ("pes", "fa"),
    ("urd", "ur"),
    ("hin", "hi"),
    ("ben", "bn"),
    ("guj", "gu"),
    ("pan", "pa"),
    ("mar", "mr"),
    ("tam", "ta"),
    ("tel", "te"),
    ("kan", "kn"),
    ("mal", "ml"),
    ("sin", "si"),
    ("ori", "or"),
    ("nep", "ne"),
    ("tha", "th"),
    ("khm", "km"),
    ("mya", "my"),
    ("vie", "vi"),
    ("ind", "id"),
    ("tgl", "tl"),
    ("jav", "jv"),
    ("cmn", "zh"),
    ("jpn", "ja"),
    ("kor", "ko"),
    ("kat", "ka"),
    ("hye", "hy"),
    ("amh", "am"),
    ("cat", "ca"),
    ("afr", "af"),
    ("zul", "zu"),
    ("sna", "sn"),
    ("lat", "la"),
    ("epo", "eo"),
    ("cym", "cy"),
];

/// BCP 47 tag for a three-letter code. BCP 47 prefers the two-letter code if it exists.
fn bcp47_code(code: &str) -> String {
    CODES.iter().find(|(long, _)| *long == code).map_or(code, |(_, short)| short).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_of_a_text_is_detected_unless_it_is_too_short() {
        let german = "Die Fähre verlässt den Hafen um sechs Uhr morgens, wenn der Nebel noch über dem Wasser liegt. \
            Niemand zählt die Boote, aber der Wächter des Leuchtturms schreibt jedes von ihnen in sein Buch, mit der Stunde und \
            dem Wind. Wir haben ihn gefragt, warum er das seit vierzig Jahren macht, und er hat nur gelacht. Später zeigte er uns \
            die alten Bände, die zwischen den Fenstern stehen, und sagte, dass nichts davon verloren gehen darf.";
        assert_eq!(language_of(german).as_deref(), Some("de"));
        assert_eq!(language_of(&german.repeat(100)).as_deref(), Some("de"));
        for short in ["", "1 2 3", "…"] {
            assert_eq!(language_of(short), None, "{short}");
        }
    }
}
