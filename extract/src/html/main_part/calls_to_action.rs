//! Calls to action between the paragraphs of a text: consent to embedded content, subscription, sharing,
//! browser notices.

use super::units::{Unit, Units, units_in};
use crate::page::{Id, Page};

/// Maximum number of words in a call to action.
const MAX_WORDS: usize = 60;
/// Maximum number of units of the element that contains a call to action, such as its text and its buttons.
const MAX_UNITS: usize = 4;
/// Minimum share of linked characters for a text to be a link to another page.
const LINKED_SHARE: f64 = 0.8;

/// Lower-case phrases of calls to action.
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
    // Browser notices and advertisements.
    "browser does not support",
];
/// Lower-case phrases of browser notices, and of notices before or after advertisements.
const NOTICES: [&str; 8] = [
    "enable javascript", "javascript is disabled", "advertisement", "story continues below",
    "article continues below", "ihr browser unterstützt", "votre navigateur ne", "su navegador no",
];

/// True if a unit is a call to action, judging by its words and by its controls or links.
pub(super) fn is_call_to_action(page: &Page, units: &Units, unit: &Unit) -> bool {
    let text = unit.text.to_lowercase();
    // An interview question about subscribing is not a call to action.
    let has_phrase = !text.trim_end().ends_with(['?', '？'])
        && PHRASES.iter().chain(&NOTICES).any(|phrase| text.contains(phrase));
    let is_link = f64::from(unit.linked) >= f64::from(unit.chars) * LINKED_SHARE;
    unit.words <= MAX_WORDS && (has_phrase || is_link || is_alone_with_controls(page, units, unit))
}

/// True if the parent of a unit contains only the unit, controls and links.
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
