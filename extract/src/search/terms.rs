//! Splits text into search terms: folded words and their stems, or pairs of characters in scripts without
//! spaces.

use frostem::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;

use crate::clean::is_dense;

/// Maximum number of characters in a word.
const MAX_WORD_CHARS: usize = 64;

/// Search term of a text.
pub(super) struct StemmedTerm {
    /// Word in lower case.
    pub(super) word: String,
    /// Stem of the word. Stems are compared.
    pub(super) stem: String,
    /// Byte offset in the text at which the term begins.
    pub(super) at: usize,
}

/// Splits texts of one language into terms.
pub(super) struct Analyzer {
    stemmer: Option<Stemmer>,
    stop_words: &'static [&'static str],
}

impl Analyzer {
    pub(super) fn new(language: Option<&str>) -> Self {
        let main = language.and_then(|tag| tag.split(['-', '_']).next()).unwrap_or("").to_ascii_lowercase();
        Self { stemmer: algorithm(&main).map(Stemmer::new), stop_words: stop_words(&main) }
    }

    pub(super) fn is_stop_word(&self, word: &str) -> bool {
        self.stop_words.contains(&word)
    }

    /// Terms of a text, in order.
    pub(super) fn terms(&self, text: &str) -> Vec<StemmedTerm> {
        let mut terms = Vec::new();
        let mut run: Option<(usize, bool)> = None;
        let mut length = 0;
        for (at, c) in text.char_indices() {
            let dense = is_dense(c);
            let inside = dense || c.is_alphanumeric() || is_mark(c);
            if let Some((start, was_dense)) = run
                && (!inside || was_dense != dense || length >= MAX_WORD_CHARS)
            {
                self.push(&mut terms, text, start, at, was_dense);
                run = None;
            }
            if inside && run.is_none() {
                run = Some((at, dense));
                length = 0;
            }
            length += 1;
        }
        if let Some((start, dense)) = run {
            self.push(&mut terms, text, start, text.len(), dense);
        }
        terms
    }

    fn push(&self, terms: &mut Vec<StemmedTerm>, text: &str, start: usize, end: usize, dense: bool) {
        if dense {
            return push_pairs(terms, &text[start..end], start);
        }
        let word: String = text[start..end].nfkc().flat_map(char::to_lowercase).collect();
        let stem = match &self.stemmer {
            Some(stemmer) => stemmer.stem(&word).into_owned(),
            None => word.clone(),
        };
        terms.push(StemmedTerm { word, stem, at: start });
    }
}

/// Appends overlapping pairs of characters. A single character becomes a term.
fn push_pairs(terms: &mut Vec<StemmedTerm>, run: &str, start: usize) {
    let chars: Vec<(usize, char)> = run.char_indices().collect();
    let mut push =
        |at: usize, word: String| terms.push(StemmedTerm { stem: word.clone(), word, at: start + at });
    if let [(at, c)] = chars[..] {
        return push(at, c.to_string());
    }
    for pair in chars.windows(2) {
        push(pair[0].0, pair.iter().map(|(_, c)| *c).collect());
    }
}

/// True for combining marks, which belong to a word.
fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

fn algorithm(language: &str) -> Option<Algorithm> {
    Some(match language {
        "ar" => Algorithm::Arabic,
        "da" => Algorithm::Danish,
        "nl" => Algorithm::Dutch,
        "en" => Algorithm::English,
        "fi" => Algorithm::Finnish,
        "fr" => Algorithm::French,
        "de" => Algorithm::German,
        "el" => Algorithm::Greek,
        "hu" => Algorithm::Hungarian,
        "it" => Algorithm::Italian,
        "no" | "nb" | "nn" => Algorithm::Norwegian,
        "pt" => Algorithm::Portuguese,
        "ro" => Algorithm::Romanian,
        "ru" => Algorithm::Russian,
        "es" => Algorithm::Spanish,
        "sv" => Algorithm::Swedish,
        "ta" => Algorithm::Tamil,
        "tr" => Algorithm::Turkish,
        _ => return None,
    })
}

fn stop_words(language: &str) -> &'static [&'static str] {
    match language {
        "en" => &[
            "a", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "did", "do", "does",
            "for", "from", "had", "has", "have", "he", "her", "his", "how", "i", "if", "in", "into", "is",
            "it", "its", "me", "my", "no", "not", "of", "on", "or", "our", "she", "so", "such", "that",
            "the", "their", "then", "there", "these", "they", "this", "to", "was", "we", "were", "what",
            "when", "where", "which", "who", "why", "will", "with", "would", "you", "your",
        ],
        "de" => &[
            "aber", "als", "am", "an", "auch", "auf", "aus", "bei", "bin", "bis", "das", "dass", "dem",
            "den", "der", "des", "die", "dies", "du", "durch", "ein", "eine", "einem", "einen", "einer",
            "eines", "er", "es", "für", "hat", "ich", "ihr", "im", "in", "ist", "kann", "mit", "nach",
            "nicht", "noch", "nur", "oder", "sich", "sie", "sind", "so", "über", "um", "und", "uns", "von",
            "vor", "war", "was", "wer", "wie", "wir", "wird", "zu", "zum", "zur",
        ],
        "fr" => &[
            "à", "au", "aux", "avec", "ce", "ces", "cette", "dans", "de", "des", "du", "elle", "en", "est",
            "et", "il", "ils", "je", "la", "le", "les", "leur", "mais", "me", "ne", "nous", "on", "ou", "où",
            "par", "pas", "pour", "qu", "que", "qui", "sa", "se", "ses", "son", "sont", "sur", "tu", "un",
            "une", "vous", "y",
        ],
        "es" => &[
            "a", "al", "como", "con", "de", "del", "el", "ella", "en", "es", "esta", "este", "la", "las",
            "lo", "los", "más", "me", "no", "o", "para", "pero", "por", "que", "qué", "se", "si", "sin",
            "son", "su", "sus", "un", "una", "y", "ya", "yo",
        ],
        "it" => &[
            "a", "al", "alla", "che", "chi", "come", "con", "da", "del", "della", "di", "e", "è", "gli", "i",
            "il", "in", "la", "le", "lo", "ma", "nel", "non", "o", "per", "più", "se", "si", "sono", "su",
            "un", "una", "uno",
        ],
        "pt" => &[
            "a", "ao", "as", "com", "como", "da", "das", "de", "do", "dos", "e", "é", "em", "mais", "mas",
            "na", "não", "no", "o", "os", "ou", "para", "por", "que", "se", "sua", "um", "uma",
        ],
        "nl" => &[
            "aan", "als", "bij", "dat", "de", "der", "die", "dit", "een", "en", "er", "het", "ik", "in",
            "is", "je", "maar", "met", "naar", "niet", "of", "om", "ook", "op", "te", "tot", "uit", "van",
            "voor", "wat", "we", "wordt", "zijn",
        ],
        "ru" => &[
            "а", "без", "бы", "в", "во", "вы", "да", "для", "до", "его", "ее", "и", "из", "или", "к", "как",
            "ко", "ли", "мы", "на", "не", "но", "о", "об", "он", "она", "они", "от", "по", "при", "с", "со",
            "так", "то", "у", "что", "это", "я",
        ],
        _ => &[],
    }
}
