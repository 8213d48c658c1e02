//! Labels of controls that show or hide a text without naming it, such as "Show more".

use crate::clean;

/// Labels in lower case, without punctuation.
const LABELS: [&str; 61] = [
    "show more", "show less", "show all", "read more", "read less", "see more", "see less", "view more",
    "view less", "load more", "expand", "collapse", "continue reading", "keep reading", "mehr anzeigen",
    "weniger anzeigen", "mehr lesen", "weniger lesen", "mehr laden", "mehr erfahren", "weiterlesen",
    "alles anzeigen", "lire la suite", "lire plus", "voir plus", "voir moins", "afficher plus",
    "afficher moins", "en savoir plus", "leer más", "leer menos", "ver más", "ver menos", "mostrar más",
    "mostrar menos", "seguir leyendo", "mostra altro", "mostra di più", "mostra meno", "leggi tutto",
    "leggi di più", "continua a leggere", "ler mais", "leia mais", "ver mais", "mostrar mais", "lees meer",
    "lees verder", "toon meer", "toon minder", "läs mer", "visa mer", "les mer", "vis mer", "læs mere",
    "vis mere", "czytaj więcej", "pokaż więcej", "читать далее", "続きを読む", "もっと見る",
];

/// True for a label that only announces more text, less text, or both.
pub(in crate::html) fn is_toggle(text: &str) -> bool {
    let text = clean::lower_words(text);
    let is_label = |text: &str| LABELS.contains(&text);
    is_label(&text)
        || LABELS.iter().any(|label| text.strip_prefix(label).is_some_and(|rest| is_label(rest.trim_start())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn label_that_does_not_name_its_text_is_a_toggle() {
        for text in [
            "Show more", "+ Read more…", "LOAD MORE »", "Weiterlesen", "Mehr anzeigen", "Lire la suite",
            "Leer más", "Voir plus", "Mostra altro", "Show more Show less",
        ] {
            assert!(is_toggle(text), "{text}");
        }
        for text in ["Show more buoys", "Read more books, said the teacher", "What is a buoy?", "More", ""] {
            assert!(!is_toggle(text), "{text}");
        }
    }
}
