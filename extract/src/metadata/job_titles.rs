//! Job titles after names in bylines.

/// Words for occupations, in lower case. A job title contains at least one of them.
const OCCUPATIONS: &str = "writer editor reporter correspondent contributor columnist journalist producer photographer \
    photojournalist blogger ceo cto cfo coo cmo cio founder co-founder cofounder president vice-president director manager \
    engineer developer analyst researcher professor critic moderator administrator intern fellow strategist consultant \
    redakteur redakteurin chefredakteur chefredakteurin korrespondent korrespondentin reporterin journalistin volontärin \
    volontär autorin journaliste rédacteur rédactrice correspondant correspondante chroniqueur chroniqueuse redactor \
    redactora periodista corresponsal columnista giornalista redattore redattrice corrispondente jornalista repórter \
    redacteur verslaggever redaktör reporterka redaktor redaktorka dziennikarz dziennikarka журналист корреспондент редактор";

/// Words next to an occupation in a job title, in lower case.
const MODIFIERS: &str = "staff senior junior chief deputy managing executive contributing associate assistant national foreign \
    international political politics business technology tech science health sports sport culture arts education climate \
    environment economics finance news features digital investigative general guest freelance lead principal global special \
    data software product marketing content social media web online opinion local regional crime legal military security \
    in at of for and & - – the our vice co head european us uk chef freier freie en";

/// Removes the job title after a name. The text is unchanged if fewer than two words would remain.
pub(super) fn without_title(name: &str) -> &str {
    let name = without_joined_title(name);
    let mut has_occupation = false;
    let mut rest = name;
    while let Some((before, last)) = rest.rsplit_once(' ').filter(|(_, last)| is_title_word(last)) {
        has_occupation |= is_in(OCCUPATIONS, last);
        rest = before.trim_end();
    }
    let is_title = has_occupation && rest.split(' ').count() >= 2;
    if is_title { rest.trim_end_matches([' ', ',', '-', '–', '—', '(', '/']) } else { name }
}

/// True if the whole text is a job title.
pub(super) fn is_title(text: &str) -> bool {
    let mut words = text.split_whitespace().peekable();
    let has_occupation = text.split_whitespace().any(|word| is_in(OCCUPATIONS, word));
    words.peek().is_some() && has_occupation && words.all(is_title_word)
}

/// Removes a job title that follows a name without a space, as in `Julia DoeStaff Writer`.
fn without_joined_title(name: &str) -> &str {
    let mut before: Option<char> = None;
    for (at, c) in name.char_indices() {
        if before.is_some_and(char::is_lowercase)
            && c.is_uppercase()
            && name[..at].contains(' ')
            && is_title(&name[at..])
        {
            return &name[..at];
        }
        before = Some(c);
    }
    name
}

/// True for a word that can be part of a job title.
pub(crate) fn is_title_word(word: &str) -> bool {
    is_in(OCCUPATIONS, word) || is_in(MODIFIERS, word)
}

fn is_in(list: &str, word: &str) -> bool {
    let word = word.trim_matches([',', '.', '(', ')', ':', ';']).to_lowercase();
    list.split_whitespace().any(|known| known == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn job_titles_are_removed_and_similar_surnames_are_retained() {
        for (line, name) in [
            ("Julia Doe CEO", "Julia Doe"),
            ("Julia DoeCEO", "Julia Doe"),
            ("Howard BlumeStaff Writer", "Howard Blume"),
            ("Julia Doe, Senior Political Editor", "Julia Doe"),
            ("Julia Doe (Chief Executive Director)", "Julia Doe"),
            ("Eva Beispiel Redakteurin", "Eva Beispiel"),
            ("Jean Exemple - Journaliste", "Jean Exemple"),
            ("Julia Head", "Julia Head"),
            ("Max Editor", "Max Editor"),
            ("Ann McDonald", "Ann McDonald"),
            ("Maria Staff", "Maria Staff"),
            ("The News Editor", "The News Editor"),
        ] {
            assert_eq!(without_title(line), name, "{line}");
        }
        assert!(is_title("Staff Writer") && is_title("CEO") && !is_title("Staff") && !is_title("Julia Doe"));
    }
}
