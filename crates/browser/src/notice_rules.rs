//! Rules for dismissing cookie notices, one per common consent platform. They select elements by ids and classes that
//! the notices of the platform have on every site. A rule presses the button that rejects, never a button that accepts.
//! If there is no such button, the notice is removed from the page without a choice.

use serde::Serialize;

/// Rule for the notices of a platform. Selectors also match in open shadow roots.
#[derive(Debug, Serialize)]
pub(crate) struct NoticeRule {
    pub(crate) platform: &'static str,
    /// Selector of the notice. The rule applies if it matches a visible element.
    notice: &'static str,
    /// Selector of the buttons that reject.
    pub(crate) reject: &'static str,
    /// Selector of the elements that are removed if there is no such button.
    hide: &'static str,
    /// Classes by which the notice prevents the page from scrolling, separated by spaces.
    lock: &'static str,
    /// Part of the URL of the frame that contains the buttons. Empty if the page itself has them.
    pub(crate) frame: &'static str,
}

/// Rule of a platform whose notices are part of the page and do not lock it.
const PLAIN: NoticeRule = NoticeRule { platform: "", notice: "", reject: "", hide: "", lock: "", frame: "" };

pub(crate) const NOTICE_RULES: &[NoticeRule] = &[
    NoticeRule {
        platform: "OneTrust",
        notice: "#onetrust-banner-sdk, #onetrust-pc-sdk",
        reject: "#onetrust-reject-all-handler, .ot-pc-refuse-all-handler",
        hide: "#onetrust-consent-sdk, #onetrust-banner-sdk",
        lock: "ot-overflow-hidden",
        ..PLAIN
    },
    NoticeRule {
        platform: "Cookiebot",
        notice: "#CybotCookiebotDialog",
        reject: "#CybotCookiebotDialogBodyButtonDecline, \
                 #CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll",
        hide: "#CybotCookiebotDialog, #CybotCookiebotDialogBodyUnderlay",
        ..PLAIN
    },
    NoticeRule {
        platform: "Didomi",
        notice: "#didomi-notice, #didomi-popup",
        reject: "#didomi-notice-disagree-button, .didomi-continue-without-agreeing",
        hide: "#didomi-host",
        lock: "didomi-popup-open",
        ..PLAIN
    },
    // Its secondary button opens the settings on some sites, so only the button with this id is pressed.
    NoticeRule {
        platform: "Quantcast",
        notice: "#qc-cmp2-container, .qc-cmp2-container",
        reject: ".qc-cmp2-container #disagree-btn",
        hide: "#qc-cmp2-container, .qc-cmp2-container",
        ..PLAIN
    },
    NoticeRule {
        platform: "Usercentrics",
        // The host of its shadow root stays on the page without a notice.
        notice: "[data-testid=\"uc-accept-all-button\"], button.uc-accept-button",
        reject: "[data-testid=\"uc-deny-all-button\"], button.uc-deny-button",
        hide: "#usercentrics-root, #usercentrics-cmp-ui",
        lock: "overflowHidden",
        ..PLAIN
    },
    NoticeRule {
        platform: "TrustArc",
        notice: "#truste-consent-track, .truste_box_overlay",
        reject: "#truste-consent-required",
        hide: "#truste-consent-track, .truste_box_overlay, .truste_overlay, #trustarc-banner-overlay",
        ..PLAIN
    },
    NoticeRule {
        platform: "Sourcepoint",
        notice: "[id^=\"sp_message_container_\"]",
        reject: "button.sp_choice_type_13, button.sp_choice_type_REJECT_ALL",
        hide: "[id^=\"sp_message_container_\"], .sp_veil",
        lock: "sp-message-open",
        frame: "message_id=",
    },
    NoticeRule {
        platform: "Osano",
        notice: ".osano-cm-dialog",
        reject: ".osano-cm-denyAll, .osano-cm-deny",
        hide: ".osano-cm-dialog",
        ..PLAIN
    },
    NoticeRule {
        platform: "Complianz",
        notice: ".cmplz-cookiebanner",
        reject: ".cmplz-cookiebanner .cmplz-deny",
        hide: "#cmplz-cookiebanner-container, .cmplz-cookiebanner",
        ..PLAIN
    },
    NoticeRule {
        platform: "CookieYes",
        notice: ".cky-consent-container",
        reject: ".cky-btn-reject",
        hide: ".cky-consent-container, .cky-overlay",
        ..PLAIN
    },
    NoticeRule {
        platform: "Klaro",
        notice: ".klaro .cookie-notice, .klaro .cookie-modal",
        reject: ".klaro .cn-decline, .klaro .cm-btn-decline",
        hide: ".klaro .cookie-notice, .klaro .cookie-modal",
        ..PLAIN
    },
    NoticeRule {
        platform: "Borlabs",
        notice: "#BorlabsCookieBox",
        reject: "#BorlabsCookieBox [data-cookie-refuse], #BorlabsCookieBox .brlbs-btn-accept-only-essential",
        hide: "#BorlabsCookieBox",
        ..PLAIN
    },
    NoticeRule {
        platform: "Iubenda",
        notice: "#iubenda-cs-banner",
        reject: ".iubenda-cs-reject-btn",
        hide: "#iubenda-cs-banner",
        ..PLAIN
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_rule_presses_a_button_that_accepts() {
        for rule in NOTICE_RULES {
            assert!(!rule.notice.is_empty() && !rule.hide.is_empty(), "{rule:?}");
            // The button of Borlabs accepts only cookies that the site needs.
            let rejecting = ["accept-only-essential", "without-agreeing", "disagree"];
            let reject =
                rejecting.iter().fold(rule.reject.to_ascii_lowercase(), |left, one| left.replace(one, ""));
            for word in ["accept", "allow", "agree", "consent-button", "type_11"] {
                assert!(!reject.contains(word), "{rule:?}");
            }
        }
    }
}
