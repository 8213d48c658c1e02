//! The language of a text by its look.

use crate::document::{Block, BlockKind};

/// Text that is looked at, in bytes.
const SAMPLE_BYTES: usize = 4000;

/// The BCP 47 tag of the text's language; nothing when there is too little to tell.
pub(crate) fn detect(blocks: &[Block]) -> Option<String> {
    let mut sample = String::new();
    for block in blocks.iter().filter(|block| block.kind != BlockKind::Code) {
        sample.push_str(&block.text);
        sample.push('\n');
        if sample.len() > SAMPLE_BYTES {
            break;
        }
    }
    let found = whatlang::detect(&sample)?;
    found.is_reliable().then(|| two_letters(found.lang().code()))
}

/// Codes of three letters and of two.
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

/// BCP 47 prefers the two-letter code where there is one.
fn two_letters(code: &str) -> String {
    CODES.iter().find(|(long, _)| *long == code).map_or(code, |(_, short)| short).to_owned()
}
