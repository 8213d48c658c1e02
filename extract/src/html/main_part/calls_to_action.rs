//! Calls to action between the paragraphs of a text: consent to embedded content, subscription, sharing,
//! browser notices.

use super::units::{Unit, Units, units_in};
use crate::page::{Id, Page};

/// Maximum words of a call.
const MAX_WORDS: usize = 60;
/// Maximum units of the element of a call, such as its text and its buttons.
const MAX_UNITS: usize = 4;
/// Share of linked characters above which a text is a link to something else.
const LINKED_SHARE: f64 = 0.8;

/// Lower-case phrases of calls.
const PHRASES: [&str; 96] = [
    // Consent and embedded content.
    "external content",
    "third-party content",
    "third party content",
    "embedded content",
    "your consent",
    "content is hosted by",
    "accept cookies",
    "accept all cookies",
    "cookie settings",
    "cookie preferences",
    "cookie policy",
    "privacy policy",
    "privacy settings",
    "externe inhalte",
    "externen inhalt",
    "externer inhalt",
    "externer inhalte",
    "ihre zustimmung",
    "deine zustimmung",
    "ihrer zustimmung",
    "einwilligung",
    "datenschutzerklärung",
    "empfohlener redaktioneller inhalt",
    "contenu externe",
    "contenus externes",
    "votre consentement",
    "contenido externo",
    "su consentimiento",
    "tu consentimiento",
    "contenuto esterno",
    "contenuti esterni",
    "il tuo consenso",
    "conteúdo externo",
    "seu consentimento",
    "externe inhoud",
    "uw toestemming",
    "je toestemming",
    "treści zewnętrzne",
    "externt innehåll",
    "ditt samtycke",
    // Subscription.
    "subscribe",
    "newsletter",
    "sign up",
    "your inbox",
    "your email",
    "your e-mail",
    "create an account",
    "log in to",
    "support our",
    "support us",
    "become a member",
    "download our app",
    "abonnieren",
    "abonniere",
    "jetzt anmelden",
    "abonnez-vous",
    "inscrivez-vous",
    "suscríbete",
    "suscríbase",
    "regístrate",
    "iscriviti",
    "abbonati",
    "assine nossa",
    "inscreva-se",
    "abonneer",
    "schrijf je in",
    "zapisz się",
    "prenumerera",
    "подпишитесь",
    "подписывайтесь",
    "підпишіться",
    "購読",
    "ニュースレター",
    "メルマガ",
    "订阅",
    "訂閱",
    "구독",
    // Sharing.
    "share this",
    "share on",
    "share via",
    "follow us",
    "teilen sie",
    "folgen sie uns",
    "folge uns",
    "partagez",
    "suivez-nous",
    "comparte en",
    "síguenos",
    "condividi su",
    "seguici",
    "compartilhe",
    "siga-nos",
    "volg ons",
    "поделиться",
    "シェアする",
    // Notices of browsers and advertisements.
    "browser does not support",
];
/// Lower-case phrases of notices in a browser or between advertisements.
const NOTICES: [&str; 8] = [
    "enable javascript", "javascript is disabled", "advertisement", "story continues below",
    "article continues below", "ihr browser unterstützt", "votre navigateur ne", "su navegador no",
];

/// True if the text of a unit calls for an action by its words, its controls or its links.
pub(super) fn is_call_to_action(page: &Page, units: &Units, unit: &Unit) -> bool {
    let text = unit.text.to_lowercase();
    // A question of an interview can be about subscribing.
    let has_phrase = !text.trim_end().ends_with(['?', '？'])
        && PHRASES.iter().chain(&NOTICES).any(|phrase| text.contains(phrase));
    let is_link = f64::from(unit.linked) >= f64::from(unit.chars) * LINKED_SHARE;
    unit.words <= MAX_WORDS && (has_phrase || is_link || is_alone_with_controls(page, units, unit))
}

/// True if the parent of a unit has nothing else but controls and links.
fn is_alone_with_controls(page: &Page, units: &Units, unit: &Unit) -> bool {
    let element = page.parent(unit.container);
    let inside = &units[units_in(page, units, element)];
    let is_control = |id: Id| matches!(page.tag(id), "button" | "form" | "input" | "iframe" | "select");
    inside.len() <= MAX_UNITS
        && page.subtree(element).any(is_control)
        && inside.iter().all(|other| {
            std::ptr::eq(other, unit)
                || other.linked == other.chars
                || matches!(page.tag(other.container), "button" | "label" | "option")
        })
}
