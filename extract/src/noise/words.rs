//! Words in dates, times and counters in common languages, and their possible roles.

use std::{collections::HashSet, sync::LazyLock};

use crate::{clean, text_hash::hash};

const UNITS: &str = "\
    s sec secs second seconds m min mins minute minutes h hr hrs hour hours d day days w wk week weeks \
    mo month months y yr yrs year years sekunde sekunden minuten std stunde stunden tag tage tagen woche \
    wochen monat monate monaten jahr jahre jahren seconde secondes heure heures jour jours semaine \
    semaines mois an ans segundo segundos minuto minutos hora horas día días dia dias semana semanas mes \
    meses mês año años ano anos secondi minuti ora ore giorno giorni settimana settimane mese mesi anno \
    anni seconden uur uren dag dagen week weken maand maanden jaar секунд секунды минут минуты минуту \
    час часа часов день дня дней неделю недели месяц месяца месяцев год года лет 秒 分 时 時 小 钟 鐘 間 间 天 日 周 \
    週 个 個 月 年 시 초 분 간 일 주 달 개 월";
const AGO: &str = "\
    ago geleden fa atrás назад 前 전";
const BEFORE: &str = "\
    vor hace há";
const JUST_NOW: &str = "\
    just now | right now | moments ago | a moment ago | seconds ago | a few seconds ago | a minute ago | \
    an hour ago | about an hour ago | a day ago | a week ago | a month ago | a year ago | last month | \
    last year | last week | yesterday | today | now | gerade eben | heute | gestern | vor einer stunde | \
    vor einer minute | vor einem tag | hier | aujourd'hui | aujourd’hui | à l'instant | ayer | hoy | \
    ahora | ieri | oggi | vandaag | gisteren | zojuist | ontem | hoje | вчера | сегодня | только что | \
    昨日 | 今日 | 昨天 | 今天 | 刚刚 | 剛剛 | 어제 | 오늘 | 방금";
const UPDATE: &str = "\
    as updated update modified edited generated rendered retrieved fetched refreshed checked published \
    posted accessed revised reviewed synced changed aktualisiert geändert stand veröffentlicht abgerufen \
    actualisé publié modifié màj actualizado publicado modificado aggiornato pubblicato bijgewerkt \
    gepubliceerd atualizado обновлено опубликовано 更新 新";
const MONTHS: &str = "\
    january february march april may june july august september october november december jan feb mar \
    apr jun jul aug sep sept oct nov dec januar februar märz mai juni juli oktober dezember janvier \
    février mars avril juin juillet août septembre octobre novembre décembre enero febrero marzo abril \
    mayo junio julio agosto septiembre octubre noviembre diciembre gennaio febbraio aprile maggio giugno \
    luglio settembre ottobre dicembre januari februari maart mei augustus janeiro fevereiro março maio \
    junho julho setembro outubro dezembro января февраля марта апреля мая июня июля августа сентября \
    октября ноября декабря";
const DAYS: &str = "\
    monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun \
    montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi vendredi \
    samedi dimanche lunes martes miércoles jueves viernes sábado domingo lunedì martedì mercoledì \
    giovedì venerdì sabato domenica maandag dinsdag woensdag donderdag vrijdag zaterdag zondag today \
    yesterday heute gestern";
const HOURS: &str = "\
    am pm uhr utc gmt cet cest est edt cst cdt mst mdt pst pdt bst ist jst 時 时 點 点 시";
/// Filler words next to a date.
const DATE_FILLERS: &str = "\
    on at the of last date time as page this was is it now current currently local server site in de am \
    um zuletzt vom den der le la à mise jour dernière última actualización el ultimo aggiornamento op om \
    laatst a p m h t z st nd rd th from since data last report 年 月 日 分 秒 년 월 일 분 초 曜 火 水 木 金 土";
const COUNTED: &str = "\
    view views viewer viewers viewed visit visits visitor visitors watching online like likes share \
    shares comment comments follower followers following subscriber subscribers download downloads read \
    reads reader readers click clicks hit hits impressions vote votes point points upvotes reply replies \
    reposts retweets reactions members users guests claps plays listens installs bookmarks favorites \
    favourites watchers aufrufe besucher kommentar kommentare leser abonnenten klicks zugriffe vues vue \
    visites visiteurs commentaire commentaires abonnés lectures vistas visitas comentario comentarios \
    seguidores visualizzazioni commenti visualizações comentários weergaven reacties bezoekers \
    просмотров просмотра комментариев";
const ROUND_COUNTER: &str = "\
    people person persons are is have has been this page times time total of so far currently now and \
    today right the all unique k m b thousand million mio tsd mal by active registered here post article";
const MULTIPLES: &str = "\
    k m b thousand million mio tsd";
const ID_LABELS: &str = "\
    id ids ray request session trace token nonce correlation reference ref";

/// Bit set of the roles of a word.
pub(super) type Roles = u16;

/// Unit of time.
pub(super) const UNIT: Roles = 1;
/// Word after a relative time, such as "ago".
pub(super) const IS_AGO: Roles = 1 << 1;
/// Word before a relative time, such as "vor".
pub(super) const IS_BEFORE: Roles = 1 << 2;
/// Word that indicates that a date is the update time of the page.
pub(super) const IS_UPDATE: Roles = 1 << 3;
/// Name of a month.
pub(super) const MONTH: Roles = 1 << 4;
/// Name of a day.
pub(super) const DAY: Roles = 1 << 5;
/// Word that indicates that a number is a time of day.
pub(super) const HOUR: Roles = 1 << 6;
/// Filler word next to a date.
pub(super) const IS_DATE_FILLER: Roles = 1 << 7;
/// Noun that a counter counts.
pub(super) const IS_COUNTED: Roles = 1 << 8;
/// Filler word next to a counter.
pub(super) const IS_COUNTER_FILLER: Roles = 1 << 9;
/// Multiplier of a number.
pub(super) const MULTIPLE: Roles = 1 << 10;
/// Word before an id.
pub(super) const ID_LABEL: Roles = 1 << 11;
/// Names of months and days, and words that indicate hours.
pub(super) const CALENDAR: Roles = MONTH | DAY | HOUR;
/// Words that may occur in a date or next to a date.
pub(super) const DATE_WORD: Roles = CALENDAR | IS_UPDATE | IS_DATE_FILLER;

const LISTS: &[(&str, Roles)] = &[
    (UNITS, UNIT),
    (AGO, IS_AGO),
    (BEFORE, IS_BEFORE),
    (UPDATE, IS_UPDATE),
    (MONTHS, MONTH),
    (DAYS, DAY),
    (HOURS, HOUR),
    (DATE_FILLERS, IS_DATE_FILLER),
    (COUNTED, IS_COUNTED),
    (ROUND_COUNTER, IS_COUNTER_FILLER),
    (MULTIPLES, MULTIPLE),
    (ID_LABELS, ID_LABEL),
];

/// Length of the longest word in the lists, in bytes.
const LONGEST: usize = 32;
/// Size of the hash table: a power of two, several times the number of words.
const TABLE_SIZE: usize = 4096;

/// Hash table from words to roles, with open addressing. It is a flat array for speed, because it is searched
/// for every word of every text.
static TABLE: LazyLock<Vec<(u64, Roles)>> = LazyLock::new(|| {
    let mut table = vec![(0, 0); TABLE_SIZE];
    for (list, role) in LISTS {
        for word in list.split(' ') {
            let key = hash(word);
            let mut at = slot(key);
            while table[at].1 != 0 && table[at].0 != key {
                at = (at + 1) % TABLE_SIZE;
            }
            table[at] = (key, table[at].1 | role);
        }
    }
    table
});

fn slot(key: u64) -> usize {
    usize::try_from(key % 4096).unwrap_or(0)
}

/// Roles of a word, regardless of letter case.
pub(super) fn roles(word: &str) -> Roles {
    if word.is_empty() || word.len() > LONGEST {
        return 0;
    }
    let key = if word.is_ascii() {
        let mut lower = [0; LONGEST];
        let lower = &mut lower[..word.len()];
        lower.copy_from_slice(word.as_bytes());
        lower.make_ascii_lowercase();
        std::str::from_utf8(lower).map_or(0, hash)
    } else if word.chars().next().is_some_and(clean::is_dense) {
        hash(word)
    } else {
        hash(&word.to_lowercase())
    };
    let mut at = slot(key);
    while TABLE[at].1 != 0 {
        if TABLE[at].0 == key {
            return TABLE[at].1;
        }
        at = (at + 1) % TABLE_SIZE;
    }
    0
}

/// True for numbers with a time unit, such as `3h` or `12min`.
pub(super) fn has_unit_suffix(number: &str) -> bool {
    let unit = number.trim_start_matches(|c: char| c.is_ascii_digit());
    unit.len() < number.len() && roles(unit) & UNIT != 0
}

pub(super) fn is_just_now(text: &str) -> bool {
    static PHRASES: LazyLock<HashSet<&str>> = LazyLock::new(|| JUST_NOW.split(" | ").collect());
    PHRASES.contains(text.trim_end_matches('.').to_lowercase().as_str())
}

/// True for numbers in a date, such as `20`, `20th`, `20T10`, `00Z` or `12.05.2026`.
pub(super) fn is_number_of_date(word: &str) -> bool {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    rest.is_empty()
        || ["st", "nd", "rd", "th", "am", "pm", "h", "z", "s", "er", "e"]
            .iter()
            .any(|end| rest.eq_ignore_ascii_case(end))
        || is_timestamp_part(word)
}

/// True for a part of a timestamp such as `20T10` in `2026-11-20T10:30:00Z`.
pub(super) fn is_timestamp_part(word: &str) -> bool {
    word.split_once(['T', 't']).is_some_and(|(day, hour)| {
        let digits = |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        digits(day) && digits(hour)
    })
}

/// True for a complete date or time in one word, such as `12.05.2026` or `10am`.
pub(super) fn is_whole_date(word: &str) -> bool {
    // Requires a four-digit year and a valid day and month, because `2.4.26` may be a version.
    let parts: Vec<u16> = word.split('.').filter_map(|part| part.parse().ok()).collect();
    matches!(parts.as_slice(), [1..=31, 1..=12, 1000..=u16::MAX])
        || ["am", "pm"].iter().any(|end| {
            word.to_ascii_lowercase()
                .strip_suffix(end)
                .is_some_and(|hour| !hour.is_empty() && hour.len() <= 5)
        })
}
