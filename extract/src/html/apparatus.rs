//! Parts of a page that serve its use and are not its text: navigation, menus, dialogs, sharing, calendars.

use crate::page::{Id, Page};

/// Words in class and id of such parts. A name is split at every character that is not a letter or digit.
const NAMES: [&str; 60] = [
    "ambox", "breadcrumb", "breadcrumbs", "calendar", "cart", "comment", "comments", "consent", "cookie",
    "cookies", "datepicker", "dialog", "dropdown", "filter", "filters", "footer", "gdpr", "lightbox",
    "login", "megamenu", "menu", "menus", "mobilemenu", "modal", "nav", "navbar", "navbox", "navigation",
    "newsletter", "offcanvas", "overlay", "pager", "pagination", "paywall", "popup", "promo", "recommended",
    "related", "respond", "search", "searchform", "share", "sharing", "sidebar", "signin", "signup",
    "sitemap", "social", "sponsor", "sponsored", "submenu", "subscribe", "subscription", "toc", "toolbar",
    "topbar", "trending", "vcalendar", "widget", "wpcalendar",
];

/// Roles of such parts.
const ROLES: [&str; 14] = [
    "alertdialog", "banner", "contentinfo", "dialog", "listbox", "menu", "menubar", "navigation",
    "radiogroup", "search", "status", "toolbar", "tooltip", "tree",
];

/// True if an element serves the use of the page, by its tag, role and names.
pub(super) fn is_apparatus(page: &Page, id: Id) -> bool {
    matches!(page.tag(id), "nav" | "footer" | "dialog" | "form" | "fieldset")
        || page.attribute(id, "role").is_some_and(|role| ROLES.contains(&role.trim()))
        || ["class", "id"].iter().filter_map(|name| page.attribute(id, name)).any(names_apparatus)
}

fn names_apparatus(value: &str) -> bool {
    value
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .any(|word| NAMES.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::parse_page;

    #[test]
    fn apparatus_is_recognised_by_whole_words_of_its_names() {
        let is = |markup: &str| {
            let page = parse_page(markup).unwrap();
            let body = page.find(0, "body").unwrap();
            is_apparatus(&page, page.element_children(body).next().unwrap())
        };
        for markup in ["<nav>", "<div role=menu>", "<div class='site-nav x'>", "<div id=wp-calendar>"] {
            assert!(is(markup), "{markup}");
        }
        for markup in ["<div>", "<div class=navy>", "<div class=commentary>", "<div class=accordion-item>"] {
            assert!(!is(markup), "{markup}");
        }
    }
}
