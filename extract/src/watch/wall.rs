//! Walls: pages that a server returns with status 200 instead of the requested page, such as robot checks,
//! sign-in forms and maintenance notices. They are recognised by their words in ten languages.

use serde::{Deserialize, Serialize};

use super::snapshot::SnapshotBlock;
use crate::clean;

/// Maximum number of words in a wall.
const MAX_WORDS: usize = 250;
/// Maximum number of words in a page with a password field that is treated as a sign-in form.
const MAX_FORM_WORDS: usize = 80;
/// Maximum number of blocks at the start of a page that are searched.
const MAX_BLOCKS: usize = 12;
/// Minimum percentage of words in blocks with a typical sentence for the wall to be certain.
const MIN_PERCENT: usize = 40;
/// Maximum number of bytes of a block that are searched.
const MAX_BLOCK_BYTES: usize = 4_096;
/// Separators between the parts of a title.
const SEPARATORS: [&str; 7] = [" | ", " - ", " – ", " — ", " · ", ": ", " :: "];

/// Page that is returned instead of the watched page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wall {
    RobotCheck,
    Consent,
    SignIn,
    Maintenance,
    Error,
    /// The page is not available in the country of the client.
    RegionBlock,
    Queue,
}

impl Wall {
    /// True for walls that are never accepted as content, not even at the first check of a monitor.
    const fn is_never_content(self) -> bool {
        matches!(self, Self::RobotCheck | Self::Consent | Self::Error)
    }
}

/// Wall that a page resembles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suspicion {
    pub wall: Wall,
    /// True if the title is the title of a wall, or if typical sentences are most of the text.
    pub is_certain: bool,
}

impl Suspicion {
    /// True if the page is not accepted even at the first check of a monitor.
    pub fn is_refused_at_first(self) -> bool {
        self.is_certain && self.wall.is_never_content()
    }
}

/// Title and form of a page, which do not belong to its blocks.
#[derive(Clone, Copy)]
pub(super) struct PageFront<'p> {
    pub(super) title: &'p str,
    pub(super) has_password: bool,
}

/// Titles of walls, in lower case. The whole title must match.
const TITLES: &[(Wall, &[&str])] = &[
    (
        Wall::RobotCheck,
        &[
            "just a moment",
            "attention required",
            "are you a robot",
            "robot check",
            "security check",
            "verify you are human",
            "human verification",
            "bot verification",
            "one moment, please",
            "captcha",
            "sicherheitsüberprüfung",
            "nur einen moment",
            "vérification de sécurité",
            "un instant",
            "comprobación de seguridad",
            "un momento",
            "controllo di sicurezza",
            "even geduld",
            "verificação de segurança",
            "kontrola bezpieczeństwa",
            "проверка безопасности",
            "один момент",
            "セキュリティチェック",
            "しばらくお待ちください",
        ],
    ),
    (
        Wall::Consent,
        &[
            "before you continue",
            "bevor sie fortfahren",
            "avant de continuer",
            "antes de continuar",
            "prima di continuare",
            "voordat je verdergaat",
            "zanim przejdziesz dalej",
            "прежде чем продолжить",
            "続行する前に",
        ],
    ),
    (
        Wall::SignIn,
        &[
            "sign in", "signin", "log in", "login", "please sign in", "please log in", "sign in required",
            "anmelden", "anmeldung", "einloggen", "connexion", "se connecter", "iniciar sesión",
            "inicio de sesión", "accedi", "accesso", "inloggen", "aanmelden", "iniciar sessão", "entrar",
            "zaloguj się", "logowanie", "вход", "войти", "авторизация", "ログイン", "登录",
        ],
    ),
    (
        Wall::Maintenance,
        &[
            "maintenance",
            "under maintenance",
            "site maintenance",
            "scheduled maintenance",
            "down for maintenance",
            "maintenance mode",
            "we'll be back soon",
            "be right back",
            "wartung",
            "wartungsarbeiten",
            "wartungsmodus",
            "en maintenance",
            "maintenance en cours",
            "mantenimiento",
            "en mantenimiento",
            "manutenzione",
            "in manutenzione",
            "onderhoud",
            "manutenção",
            "em manutenção",
            "przerwa techniczna",
            "prace techniczne",
            "технические работы",
            "メンテナンス",
            "メンテナンス中",
        ],
    ),
    (
        Wall::Error,
        &[
            "access denied",
            "forbidden",
            "page not found",
            "not found",
            "error",
            "server error",
            "internal server error",
            "application error",
            "service unavailable",
            "service temporarily unavailable",
            "bad gateway",
            "gateway timeout",
            "gateway time-out",
            "too many requests",
            "database error",
            "fehler",
            "seite nicht gefunden",
            "zugriff verweigert",
            "erreur",
            "page introuvable",
            "accès refusé",
            "página no encontrada",
            "acceso denegado",
            "errore",
            "pagina non trovata",
            "accesso negato",
            "pagina niet gevonden",
            "toegang geweigerd",
            "erro",
            "página não encontrada",
            "acesso negado",
            "błąd",
            "nie znaleziono strony",
            "odmowa dostępu",
            "ошибка",
            "страница не найдена",
            "доступ запрещен",
            "エラー",
            "ページが見つかりません",
        ],
    ),
    (
        Wall::RegionBlock,
        &[
            "not available in your country",
            "not available in your region",
            "unavailable for legal reasons",
            "in ihrem land nicht verfügbar",
            "non disponible dans votre pays",
        ],
    ),
    (
        Wall::Queue,
        &[
            "waiting room", "virtual waiting room", "queue", "you are in line", "you are in the queue",
            "warteraum", "warteschlange", "salle d'attente", "file d'attente", "sala de espera",
            "sala d'attesa", "wachtrij", "wachtruimte", "fila de espera", "poczekalnia", "kolejka",
            "очередь", "待合室",
        ],
    ),
];

/// Parts of typical sentences, in lower case.
const SENTENCES: &[(Wall, &[&str])] = &[
    (
        Wall::RobotCheck,
        &[
            "verify you are human",
            "verify that you are human",
            "checking your browser",
            "checking if the site connection is secure",
            "review the security of your connection",
            "enable javascript and cookies to continue",
            "unusual traffic",
            "you have been blocked",
            "are a robot",
            "not a robot",
            "access to this page has been denied",
            "complete the captcha",
            "ungewöhnlichen datenverkehr",
            "kein roboter",
            "überprüfung ihres browsers",
            "trafic inhabituel",
            "pas un robot",
            "vérifiez que vous êtes humain",
            "tráfico inusual",
            "no eres un robot",
            "no soy un robot",
            "traffico insolito",
            "non sei un robot",
            "ongebruikelijk verkeer",
            "geen robot",
            "tráfego incomum",
            "não é um robô",
            "nietypowy ruch",
            "nie jesteś robotem",
            "необычный трафик",
            "вы не робот",
            "ロボットではない",
            "ブラウザを確認",
        ],
    ),
    (
        Wall::Consent,
        &[
            "we use cookies and similar",
            "accept all cookies",
            "before you continue to",
            "wir verwenden cookies und ähnliche",
            "alle cookies akzeptieren",
            "nous utilisons des cookies",
            "accepter tous les cookies",
            "utilizamos cookies",
            "aceptar todas las cookies",
            "utilizziamo i cookie",
            "accetta tutti i cookie",
            "wij gebruiken cookies",
            "alle cookies accepteren",
            "aceitar todos os cookies",
            "używamy plików cookie",
            "мы используем файлы cookie",
            "クッキーを使用",
        ],
    ),
    (
        Wall::SignIn,
        &[
            "please sign in",
            "please log in",
            "sign in to continue",
            "log in to continue",
            "you must be logged in",
            "you need to sign in",
            "session has expired",
            "bitte melden sie sich an",
            "bitte loggen sie sich ein",
            "sitzung ist abgelaufen",
            "veuillez vous connecter",
            "votre session a expiré",
            "inicia sesión para continuar",
            "debes iniciar sesión",
            "su sesión ha caducado",
            "effettua l'accesso",
            "sessione è scaduta",
            "log in om verder te gaan",
            "sessie is verlopen",
            "faça login para continuar",
            "sua sessão expirou",
            "zaloguj się, aby",
            "sesja wygasła",
            "войдите, чтобы",
            "сессия истекла",
            "ログインしてください",
        ],
    ),
    (
        Wall::Maintenance,
        &[
            "we'll be back",
            "be back soon",
            "be back shortly",
            "down for maintenance",
            "under maintenance",
            "scheduled maintenance",
            "undergoing maintenance",
            "currently performing maintenance",
            "wartungsarbeiten",
            "wird gewartet",
            "bald wieder für sie da",
            "en cours de maintenance",
            "site est en maintenance",
            "de retour bientôt",
            "en mantenimiento",
            "tareas de mantenimiento",
            "volveremos pronto",
            "in manutenzione",
            "torneremo presto",
            "onderhoudswerkzaamheden",
            "in onderhoud",
            "em manutenção",
            "voltaremos em breve",
            "prace konserwacyjne",
            "przerwa techniczna",
            "технические работы",
            "техническое обслуживание",
            "メンテナンス中",
        ],
    ),
    (
        Wall::Error,
        &[
            "page you requested could not be found",
            "page you are looking for",
            "page could not be found",
            "service temporarily unavailable",
            "service unavailable",
            "server is temporarily unable",
            "internal server error",
            "bad gateway",
            "gateway time-out",
            "an error occurred",
            "something went wrong",
            "fatal error",
            "uncaught exception",
            "sqlstate[",
            "establishing a database connection",
            "too many requests",
            "application error",
            "you don't have permission to access",
            "seite wurde nicht gefunden",
            "seite konnte nicht gefunden",
            "ist ein fehler aufgetreten",
            "vorübergehend nicht verfügbar",
            "page demandée est introuvable",
            "une erreur est survenue",
            "une erreur s'est produite",
            "temporairement indisponible",
            "página que buscas no existe",
            "se ha producido un error",
            "no disponible temporalmente",
            "pagina richiesta non è stata trovata",
            "si è verificato un errore",
            "temporaneamente non disponibile",
            "pagina is niet gevonden",
            "er is een fout opgetreden",
            "tijdelijk niet beschikbaar",
            "ocorreu um erro",
            "temporariamente indisponível",
            "strona nie została znaleziona",
            "wystąpił błąd",
            "tymczasowo niedostępn",
            "произошла ошибка",
            "страница не найдена",
            "временно недоступ",
            "エラーが発生しました",
            "ページは見つかりません",
        ],
    ),
    (
        Wall::RegionBlock,
        &[
            "not available in your country",
            "not available in your region",
            "unavailable in your region",
            "not available in your location",
            "in ihrem land nicht verfügbar",
            "in ihrer region nicht verfügbar",
            "pas disponible dans votre pays",
            "pas disponible dans votre région",
            "no está disponible en tu país",
            "no disponible en su país",
            "non è disponibile nel tuo paese",
            "niet beschikbaar in jouw land",
            "niet beschikbaar in uw land",
            "não está disponível no seu país",
            "niedostępna w twoim kraju",
            "недоступен в вашей стране",
            "недоступно в вашей стране",
            "お住まいの地域ではご利用いただけません",
        ],
    ),
    (
        Wall::Queue,
        &[
            "waiting room",
            "you are now in line",
            "you are in line",
            "you are in the queue",
            "your place in the queue",
            "your estimated wait",
            "warteraum",
            "sie befinden sich in der warteschlange",
            "salle d'attente",
            "file d'attente",
            "sala de espera",
            "estás en la cola",
            "sala d'attesa",
            "sei in coda",
            "wachtkamer",
            "u staat in de wachtrij",
            "fila de espera",
            "jesteś w kolejce",
            "вы находитесь в очереди",
            "順番をお待ちください",
            "待合室",
        ],
    ),
];

/// Wall that a page resembles. Controls and asides are not searched.
pub(super) fn find(front: PageFront<'_>, blocks: &[SnapshotBlock]) -> Option<Suspicion> {
    let words = count(blocks);
    if words > MAX_WORDS {
        return None;
    }
    let certain = |wall: Wall| Some(Suspicion { wall, is_certain: true });
    let title = by_title(front.title);
    if let Some(TitleName { wall, is_clear: true }) = title {
        return certain(wall);
    }
    if front.has_password && words <= MAX_FORM_WORDS {
        return certain(Wall::SignIn);
    }
    let named = sentences(blocks);
    if let Some(TitleName { wall, .. }) = title {
        return Some(Suspicion { wall, is_certain: named.iter().any(|(_, other)| *other == wall) });
    }
    let (_, wall) = *named.first()?;
    Some(Suspicion { wall, is_certain: are_most_of(&named, words) })
}

/// Blocks at the start of a page that contain a typical sentence, each with the wall that the sentence
/// indicates.
fn sentences(blocks: &[SnapshotBlock]) -> Vec<(&SnapshotBlock, Wall)> {
    let named = |block: &'_ SnapshotBlock| -> Option<Wall> {
        let text = plain(start(&block.text));
        let is_said = |marks: &[&str]| marks.iter().any(|mark| text.contains(mark));
        SENTENCES.iter().find(|(_, marks)| is_said(marks)).map(|(wall, _)| *wall)
    };
    let first = blocks.iter().filter(|block| !block.is_marginal).take(MAX_BLOCKS);
    first.filter_map(|block| Some((block, named(block)?))).collect()
}

/// True if the blocks with a typical sentence contain most of the words.
fn are_most_of(named: &[(&SnapshotBlock, Wall)], words: usize) -> bool {
    let marked: usize = named.iter().map(|(block, _)| clean::words(&block.text)).sum();
    !named.is_empty() && marked * 100 >= words * MIN_PERCENT
}

/// True if the typical sentences belong to the page: the baseline contained all of them, or was also such a
/// notice.
pub(super) fn is_of_page(before: &[SnapshotBlock], after: &[SnapshotBlock], wall: Wall) -> bool {
    let known = sentences(before);
    let is_known = |text: &str| known.iter().any(|(block, _)| block.text == text);
    let now = sentences(after);
    let is_notice = || known.iter().all(|(_, other)| *other == wall) && are_most_of(&known, count(before));
    !now.is_empty() && now.iter().all(|(block, _)| is_known(&block.text)) || is_notice()
}

fn start(text: &str) -> &str {
    let mut end = text.len().min(MAX_BLOCK_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Number of words outside controls and asides.
pub(super) fn count(blocks: &[SnapshotBlock]) -> usize {
    blocks.iter().filter(|block| !block.is_marginal).map(|block| clean::words(&block.text)).sum()
}

/// Converts a text to lower case and plain apostrophes.
fn plain(text: &str) -> String {
    text.to_lowercase().replace('’', "'")
}

/// Wall that a title indicates.
#[derive(Clone, Copy)]
struct TitleName {
    wall: Wall,
    /// True if the name of the wall is the whole title, is next to a status code, or has several words. A
    /// single word in a longer title may be a name: `Forbidden – a novel`.
    is_clear: bool,
}

/// Wall whose name is the title or a part of the title, with or without a status code.
fn by_title(title: &str) -> Option<TitleName> {
    let mut title = plain(title);
    for separator in SEPARATORS {
        title = title.replace(separator, "\n");
    }
    let is_whole = title.lines().count() == 1;
    title.lines().find_map(|part| {
        let is_punctuation = |c: char| c.is_whitespace() || matches!(c, '.' | '!' | '…' | '?' | '-' | ',');
        let (mut words, mut has_status) = (Vec::new(), false);
        for word in part.split_whitespace().map(|word| word.trim_matches(['(', ')', '[', ']'])) {
            let is_status = word.len() == 3 && word.starts_with(['4', '5']) && word.parse::<u16>().is_ok();
            has_status |= is_status;
            if !is_status && !matches!(word, "http" | "status" | "code") {
                words.push(word);
            }
        }
        let name = words.join(" ");
        let name = name.trim_matches(is_punctuation);
        if name.is_empty() {
            return has_status.then_some(TitleName { wall: Wall::Error, is_clear: true });
        }
        let (wall, _) = TITLES.iter().find(|(_, names)| names.contains(&name))?;
        let is_clear = is_whole || has_status || clean::words(name) > 1;
        Some(TitleName { wall: *wall, is_clear })
    })
}
