//! Names in Chinese, Japanese and Korean bylines: `文/王小明`, `記者 山田太郎`, `홍길동 기자`.

use crate::clean::is_eastern;

/// Words before a name, and true if a space may separate family name and first name, as in Japanese.
const ANNOUNCERS: [(&str, bool); 23] = [
    ("取材・文", true),
    ("文・写真", true),
    ("編集・文", true),
    ("撰文", false),
    ("執筆者", true),
    ("執筆", true),
    ("著者", true),
    ("筆者", true),
    ("ライター", true),
    ("投稿者", true),
    ("特約記者", false),
    ("本報記者", false),
    ("本报记者", false),
    ("通讯员", false),
    ("实习记者", false),
    ("文字", false),
    ("作者", false),
    ("记者", false),
    ("記者", true),
    ("文", false),
    ("글", false),
    ("기자", false),
    ("작성자", false),
];
/// Words that must be followed by a separator, because other words begin with them.
const SEPARATED: [&str; 4] = ["文", "文字", "글", "기자"];
/// Characters that may follow an announcing word and make it a different word.
const COMPOUNDS: [char; 8] = ['会', '會', '们', '們', '团', '團', '站', '证'];
/// Words after a name.
const FOLLOWERS: [&str; 4] = ["記者", "记者", "기자", "特派員"];
const MAX_LINE_CHARS: usize = 60;
/// Length of a name in characters.
const NAME_CHARS: std::ops::RangeInclusive<usize> = 2..=6;
/// Maximum number of characters in one part of a Japanese name.
const PART_CHARS: usize = 3;

/// Names in a byline. Empty if the line is not a Chinese, Japanese or Korean byline.
pub(super) fn in_line(line: &str) -> Vec<String> {
    let line = line.trim_matches(|c: char| c.is_whitespace() || is_bracket(c));
    if line.chars().count() > MAX_LINE_CHARS || !line.contains(is_eastern) {
        return Vec::new();
    }
    announced(line).or_else(|| followed(line)).unwrap_or_default()
}

/// True for two to six characters that can be a name.
fn is_name(name: &str) -> bool {
    NAME_CHARS.contains(&name.chars().count())
        && name.chars().all(|c| is_eastern(c) || matches!(c, '·' | '・' | ' '))
}

/// Names after the first word that announces a name.
fn announced(line: &str) -> Option<Vec<String>> {
    let is_start = |at: usize| {
        line[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || is_bracket(c) || is_separator(c))
    };
    let (rest, may_have_space) = ANNOUNCERS.iter().find_map(|&(word, may_have_space)| {
        let (at, _) = line.match_indices(word).find(|(at, _)| is_start(*at))?;
        let rest = &line[at + word.len()..];
        let is_separated = rest.starts_with(|c: char| is_separator(c) || c.is_whitespace());
        (is_separated || !SEPARATED.contains(&word) && !rest.starts_with(COMPOUNDS))
            .then_some((rest, may_have_space))
    })?;
    let rest = rest.trim_start_matches(|c: char| is_separator(c) || c.is_whitespace());
    let names =
        rest.split(|c: char| c.is_whitespace() || is_separator(c) || is_bracket(c) || c.is_ascii_digit());
    let mut parts = names.take_while(|part| !part.is_empty());
    let first = parts.next()?;
    let has_space = rest[first.len()..].starts_with([' ', '　']);
    if let Some(second) = parts.next().filter(|_| may_have_space && has_space) {
        let name = format!("{first} {second}");
        let is_part = |part: &str| part.chars().count() <= PART_CHARS && is_name(&format!("{part}{part}"));
        if is_part(first) && is_part(second) && is_name(&name) {
            return Some(vec![name]);
        }
    }
    let names: Vec<String> = first.split(['、', '，', ',']).map(str::to_owned).collect();
    names.iter().all(|name| is_name(name)).then_some(names)
}

/// Name before a word that follows names, such as the word for reporter.
fn followed(line: &str) -> Option<Vec<String>> {
    let (name, rest) = FOLLOWERS.iter().find_map(|word| line.split_once(word))?;
    let is_complete = rest.is_empty() || rest.starts_with(|c: char| !is_eastern(c));
    let name = name.trim();
    let is_word = !name.contains(char::is_whitespace) || name.chars().count() <= 5;
    (is_complete && is_word && is_name(name)).then(|| vec![name.to_owned()])
}

fn is_separator(c: char) -> bool {
    matches!(c, '/' | '／' | '|' | '｜' | ':' | '：' | '=' | '＝' | '@' | '＠')
}

fn is_bracket(c: char) -> bool {
    matches!(c, '(' | ')' | '（' | '）' | '【' | '】' | '[' | ']' | '「' | '」' | '〔' | '〕')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_after_and_before_byline_words_are_read() {
        for (line, names) in [
            ("文/王小明", "王小明"),
            ("文／王小明 图／李雷", "王小明"),
            ("文 | 王小明", "王小明"),
            ("作者：王小明 2024-05-03 10:00", "王小明"),
            ("来源：海港报 作者：王小明", "王小明"),
            ("記者 山田太郎", "山田太郎"),
            ("（記者 山田 太郎）", "山田 太郎"),
            ("【記者王小明／台北報導】", "王小明"),
            ("本报记者 王小明、李雷", "王小明,李雷"),
            ("取材・文＝山田太郎", "山田太郎"),
            ("山田太郎記者", "山田太郎"),
            ("홍길동 기자 hong@example.com", "홍길동"),
        ] {
            assert_eq!(in_line(line).join(","), names, "{line}");
        }
    }

    #[test]
    fn lines_without_role_and_name_have_no_names() {
        for line in [
            "文学史",
            "記者会見",
            "文化与社会",
            "記者会見を開いた市長は新しい港の計画を説明した",
            "王小明",
            "作者",
            "Author/Editor",
            "中文 / English",
        ] {
            assert!(in_line(line).is_empty(), "{line}: {:?}", in_line(line));
        }
    }
}
