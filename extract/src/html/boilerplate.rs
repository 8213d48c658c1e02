//! Recognises boilerplate of a page by its markup: navigation, menus, dialogs, forms, fieldsets, footers,
//! comments, sharing, calendars.

use crate::page::{Id, Page};

/// Words in the class names and ids of boilerplate. Class names and ids are split at every character that is not a
/// letter or digit.
const BOILERPLATE_WORDS: [&str; 60] = [
    "ambox", "breadcrumb", "breadcrumbs", "calendar", "cart", "comment", "comments", "consent", "cookie",
    "cookies", "datepicker", "dialog", "dropdown", "filter", "filters", "footer", "gdpr", "lightbox",
    "login", "megamenu", "menu", "menus", "mobilemenu", "modal", "nav", "navbar", "navbox", "navigation",
    "newsletter", "offcanvas", "overlay", "pager", "pagination", "paywall", "popup", "promo", "recommended",
    "related", "respond", "search", "searchform", "share", "sharing", "sidebar", "signin", "signup",
    "sitemap", "social", "sponsor", "sponsored", "submenu", "subscribe", "subscription", "toc", "toolbar",
    "topbar", "trending", "vcalendar", "widget", "wpcalendar",
];

/// Prefixes of the class names that page builders use.
const BUILDER_PREFIXES: [&str; 6] =
    ["elementor-", "widget-span", "widget-type-", "w-dropdown", "wp-block-", "accordion-"];
/// Words that page builders also use in the class names of content.
const BUILDER_WORDS: [&str; 2] = ["dropdown", "widget"];

/// Maximum number of nodes in a `nav` that are searched for the links of a menu.
const MAX_NAV_NODES: usize = 64;

/// ARIA roles of boilerplate.
const ROLES: [&str; 14] = [
    "alertdialog", "banner", "contentinfo", "dialog", "listbox", "menu", "menubar", "navigation",
    "radiogroup", "search", "status", "toolbar", "tooltip", "tree",
];

/// True if the tag, role, class or id of the element indicates boilerplate.
pub(super) fn is_boilerplate(page: &Page, id: Id) -> bool {
    matches!(page.tag(id), "footer" | "dialog" | "form" | "fieldset")
        || page.is(id, "nav") && !is_webflow_answer(page, id)
        || page.attribute(id, "role").is_some_and(|role| ROLES.contains(&role.trim()))
        || ["class", "id"].iter().filter_map(|name| page.attribute(id, name)).any(has_boilerplate_word)
}

/// True for a `nav` that contains the answer to a question, as in pages made with Webflow. The links of a
/// Webflow menu have another class.
fn is_webflow_answer(page: &Page, id: Id) -> bool {
    page.has_class(id, "w-dropdown-list")
        && !page.descendants(id).take(MAX_NAV_NODES).any(|inner| page.has_class(inner, "w-dropdown-link"))
}

fn has_boilerplate_word(value: &str) -> bool {
    value.split_ascii_whitespace().any(|name| {
        let is_of_builder = BUILDER_PREFIXES.iter().any(|start| name.starts_with(start));
        name.split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| !(word.is_empty() || is_of_builder && BUILDER_WORDS.contains(word)))
            .any(|word| BOILERPLATE_WORDS.iter().any(|known| word.eq_ignore_ascii_case(known)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::parse_page;

    #[test]
    fn boilerplate_is_recognised_by_whole_words_in_class_and_id() {
        let is = |markup: &str| {
            let page = parse_page(markup).unwrap();
            let body = page.find(0, "body").unwrap();
            is_boilerplate(&page, page.element_children(body).next().unwrap())
        };
        for markup in ["<nav>", "<div role=menu>", "<div class='site-nav x'>", "<div id=wp-calendar>"] {
            assert!(is(markup), "{markup}");
        }
        for markup in [
            "<div>",
            "<div class=navy>",
            "<div class=commentary>",
            "<div class=accordion-item>",
            "<nav class=w-dropdown-list><p>An answer.",
        ] {
            assert!(!is(markup), "{markup}");
        }
    }

    #[test]
    fn page_builder_parts_are_content_unless_named_as_boilerplate() {
        for (names, expected) in [
            ("elementor-element elementor-widget elementor-widget-text-editor", false),
            ("widget-span widget-type-rich_text", false),
            ("faq w-dropdown", false),
            ("accordion-item__dropdown", false),
            ("wp-block-widget-area", false),
            ("widget", true),
            ("elementor-widget elementor-widget-nav-menu", true),
            ("wp-block-navigation", true),
        ] {
            assert_eq!(has_boilerplate_word(names), expected, "{names}");
        }
    }
}
