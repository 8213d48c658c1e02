//! Phrases that mark text next to an article, in many languages: links to other stories, picture credits,
//! and attributions.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// Meaning of a marker phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marker {
    /// Link to another story.
    Related,
    /// Picture credit.
    Credit,
    /// Attribution: contributors, news agency, sources, copyright, or corrections.
    Agency,
}

/// Number of marker kinds.
pub(crate) const MARKER_COUNT: usize = 3;

/// Maximum number of bytes of a text that is checked.
const MAX_BYTES: usize = 400;
/// Offset in bytes before which a phrase that may occur anywhere scores higher.
const EARLY_BYTES: usize = 24;

/// Lower-case phrases separated by `|`. Phrases with the prefix `^` must begin the text; the others may occur anywhere.
const PHRASES: [(Marker, &str); MARKER_COUNT] = [
    (
        Marker::Related,
        "^read more|^read also|^also read|^read next|^see also|^related|^don't miss|^more on|^more from|^more stories|^recommended|\
        ^watch:|^watch |^listen:|^must read|^keep reading|^continue reading|^further reading|^most read|^popular|^up next|^in pictures|\
        ^you may also|^you might also|^editor's pick|^editors' pick|^explained:|^opinion:|^analysis:|^lesen sie|^mehr zum thema|^mehr dazu|\
        ^zum thema|^auch interessant|^weiterlesen|^mehr lesen|^lies auch|^siehe auch|^das könnte|^passend dazu|^hier lesen|^lire aussi|\
        ^à lire|^a lire|^lire la suite|^voir aussi|^sur le même|^notre dossier|^en savoir plus|^lee también|^leer también|^lea también|\
        ^lea además|^lee más|^te puede interesar|^le puede interesar|^puede interesar|^te recomendamos|^más información|^más noticias|\
        ^ver también|^mira también|^no te pierdas|^relacionad|^leia também|^leia mais|^veja também|^saiba mais|^confira|^leggi anche|\
        ^leggi pure|^per approfondire|^vedi anche|^potrebbe interessarti|^lees ook|^lees meer|^meer over|^bekijk ook|^läs också|^läs även|\
        ^läs mer|^les også|^læs også|^les mer|^læs mere|^lue myös|^lue lisää|^czytaj także|^czytaj też|^zobacz także|^zobacz też|^przeczytaj|\
        ^přečtěte|^čtěte také|^čtěte|^prečítajte|^viac|^olvassa|^kapcsolódó|^citește și|^citeşte şi|^vezi și|^citiți|^pročitajte|^čitajte|\
        ^читайте|^читать|^также читайте|^ещё по теме|^смотрите|^чит|^виж|^прочетете|^δείτε|^διαβάστε|^bunu da|^ilgili|^okumaya|^baca juga|\
        ^lihat juga|^simak|^xem thêm|^đọc thêm|^อ่าน|^関連|^あわせて|^合わせて|^【関連|^相关|^延伸|^推荐|^更多|^相關|^관련|^اقرأ|^شاهد|^لقراءة|\
        ^بیشتر|^קראו|^इसे भी|^यह भी|^ये भी|^আরও",
    ),
    (
        Marker::Credit,
        "^photo|^foto|^image|^picture|^bild:|^bild |^pic:|^credit|^crédit|^crédito|^getty|^file photo|^fotografía|^fotografia|^imagen|\
        ^imagem|^immagine|^kuva:|^zdjęcie|^фото|^φωτο|^撮影|^写真|^图|^사진|^صورة|^courtesy of|^screenshot|^video:|^afbeelding|^beeld|^billede|\
        getty images|/getty|istock|shutterstock|via ap|ap photo|(ap)|/afp|afp/|afp via|/reuters|reuters/|picture alliance|picture-alliance|\
        /dpa|imago|/epa|epa-|/efe|/ansa|wikimedia commons|unsplash|pexels|file photo|photo:|foto:|photo by|image:|credit:|©|/pap|scanpix|\
        /tt|ritzau|lehtikuva|keystone|/anp|/belga|photograph:|bildquelle|fotostrana|depositphotos|adobe stock|alamy",
    ),
    (
        Marker::Agency,
        "^reporting by|^additional reporting|^writing by|^editing by|^(reporting|^with reporting|^with input|^with agenc|^with files|\
        ^this article was|^this article has been|^this article first|^this article originally|^this article appeared|^this story was|\
        ^this story has been|^this story first|^this story originally|^this report was|^this report has been|^editor's note|\
        ^editors note|^correction:|^correction (|^clarification:|^source:|^sources:|^quelle:|^quellen:|\
        ^mit material|^avec afp|^(avec|^source :|^con información|^fuente:|^fuentes:|^com informações|^fonte:|^fonti:|^bron:|^kilde:|^kilder:|^källa:|^źródło:|^zdroj:|\
        ^источник|^джерело|^kaynak|^sumber|^出典|^来源|^पूरी|contributed to this|contributing to this|has been updated|was updated|\
        first published|originally published|originally appeared|all rights reserved|alle rechte|tous droits|todos los derechos|\
        todos os direitos|tutti i diritti|is a reporter|is a staff writer|is a journalist|\
        redaktion|reported from|/dpa|dpa)|(dpa|afp)|(afp|(reuters)|(ansa)|(efe)|(pti)|(ani)|with inputs from",
    ),
];

struct MarkerMatcher {
    words: AhoCorasick,
    /// Marker of each phrase, and true if the phrase must begin the text.
    meanings: Vec<(Marker, bool)>,
}

static MATCHER: LazyLock<Option<MarkerMatcher>> = LazyLock::new(|| {
    let all = PHRASES.iter().flat_map(|(marker, words)| words.split('|').map(move |word| (*marker, word)));
    let (meanings, words): (Vec<_>, Vec<_>) = all
        .map(|(marker, word)| {
            let word = word.trim_start_matches(' ');
            let bare = word.strip_prefix('^');
            ((marker, bare.is_some()), bare.unwrap_or(word))
        })
        .unzip();
    Some(MarkerMatcher { words: AhoCorasick::new(words).ok()?, meanings })
});

/// Score of each marker in a text: 1 at the start, ¾ near the start, ½ elsewhere, 0 if it does not occur.
pub(crate) fn scores(text: &str) -> [f32; MARKER_COUNT] {
    let mut result = [0.0_f32; MARKER_COUNT];
    let Some(matcher) = &*MATCHER else { return result };
    if text.len() > MAX_BYTES {
        return result;
    }
    let text = text.to_lowercase();
    let text = text.trim_start_matches(|c: char| !c.is_alphabetic() && !matches!(c, '©' | '(' | '【'));
    for hit in matcher.words.find_overlapping_iter(text) {
        let (marker, must_begin) = matcher.meanings[hit.pattern().as_usize()];
        let score = &mut result[marker as usize];
        if hit.start() == 0 {
            *score = 1.0;
        } else if !must_begin {
            *score = score.max(if hit.start() < EARLY_BYTES { 0.75 } else { 0.5 });
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_recognised_in_several_languages() {
        let says = |text: &str, marker: Marker| scores(text)[marker as usize];
        for text in
            ["Read more: Rates fall", "» Lesen Sie auch: Zinsen", "Lire aussi", "Baca juga:", "関連記事"]
        {
            assert!(says(text, Marker::Related) >= 1.0, "{text}");
        }
        assert!(says("Foto: dpa", Marker::Credit) >= 1.0);
        assert!(says("The harbour at noon. Jane Doe/Getty Images", Marker::Credit) >= 0.5);
        assert!(says("(Reporting by A. Writer; editing by B. Other)", Marker::Agency) >= 1.0);
        assert!(scores("The harbour master opened the gates.").iter().all(|score| *score == 0.0));
    }
}
