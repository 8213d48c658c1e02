//! Form of a rule, and descriptions of rules.

use feeds::{NewRule, Rule, RuleAction, RuleKind, RulePart, RuleScope};
use kernel::SubscriptionId;
use maud::{Markup, html};

use crate::page::form::{Field, Form, FormError, FormToken};

/// Form values of a rule.
pub(super) struct RuleInput {
    action: RuleAction,
    part: RulePart,
    kind: RuleKind,
    words: String,
    reach: RuleScope,
}

impl RuleInput {
    /// Returns the values for a new form.
    pub(super) fn empty() -> Self {
        Self {
            action: RuleAction::Mute,
            part: RulePart::Any,
            kind: RuleKind::Words,
            words: String::new(),
            reach: RuleScope::NewEntries,
        }
    }

    /// Reads the values of a submitted form. An unknown value becomes the first choice.
    pub(super) fn of(form: &Form) -> Self {
        let empty = Self::empty();
        Self {
            action: RuleAction::parse(form.get("action")).unwrap_or(empty.action),
            part: RulePart::parse(form.get("part")).unwrap_or(empty.part),
            kind: RuleKind::parse(form.get("kind")).unwrap_or(empty.kind),
            words: form.get("words").to_owned(),
            reach: if form.get("unread") == "on" { RuleScope::NewAndUnread } else { RuleScope::NewEntries },
        }
    }

    /// Returns the rule to create.
    pub(super) fn rule(&self, subscription_id: Option<SubscriptionId>) -> NewRule {
        let Self { action, part, kind, .. } = *self;
        NewRule { subscription_id, action, part, kind, words: self.words.clone() }
    }

    /// Returns the entries that the rule applies to.
    pub(super) fn reach(&self) -> RuleScope {
        self.reach
    }

    /// Describes the effect on the entries that the rule matches.
    pub(super) fn effect_words(&self) -> &'static str {
        match self.action {
            RuleAction::Drop => "dropped: counted, and never in your lists, even if you delete the rule",
            RuleAction::Mute => "muted: hidden from lists, unread counts and apps",
            RuleAction::Read => "marked as read",
            RuleAction::Keep => "kept, even if another rule matches",
        }
    }

    /// Renders the form. Pressing Enter previews the entries that the rule matches.
    pub(super) fn form(&self, path: &str, token: &FormToken, form_error: &FormError) -> Markup {
        let words = Field {
            name: "words",
            label: "Words or expression",
            hint: "Upper and lower case are the same. An expression is a regular expression, such as \\bsale\\b or ^(Ad|Sponsored):.",
            kind: "text",
            value: &self.words,
            autocomplete: "off",
            required: true,
        };
        html! {
            form.stack method="post" action={ (path) "#new" } {
                (token.field())
                fieldset {
                    legend { "Action" }
                    @for action in RuleAction::ALL {
                        (choice("action", action.as_str(), *action == self.action, action_words(*action), action_note(*action)))
                    }
                }
                div {
                    label for="part" { "Match in" }
                    select #part name="part" {
                        @for part in RulePart::ALL { option value=(part.as_str()) selected[*part == self.part] { (part_words(*part)) } }
                    }
                }
                fieldset {
                    legend { "Match" }
                    @for kind in RuleKind::ALL {
                        (choice("kind", kind.as_str(), *kind == self.kind, kind_words(*kind), ""))
                    }
                }
                (words.show(form_error))
                label.choice {
                    input type="checkbox" name="unread" checked[self.reach == RuleScope::NewAndUnread];
                    span { "Also apply it to unread entries (the newest 500)" }
                }
                div.row {
                    button.secondary type="submit" name="act" value="preview" { "Preview matches" }
                    button type="submit" name="act" value="create" { "Create rule" }
                }
            }
        }
    }
}

fn choice(name: &str, value: &str, is_chosen: bool, words: &str, note: &str) -> Markup {
    html! {
        label.choice {
            input type="radio" name=(name) value=(value) checked[is_chosen];
            span { (words) @if !note.is_empty() { ": " span.soft { (note) } } }
        }
    }
}

/// Returns the name of an action.
pub(super) fn action_words(action: RuleAction) -> &'static str {
    match action {
        RuleAction::Drop => "Drop",
        RuleAction::Mute => "Mute",
        RuleAction::Read => "Mark as read",
        RuleAction::Keep => "Keep",
    }
}

fn action_note(action: RuleAction) -> &'static str {
    match action {
        RuleAction::Drop => "not stored for you, only counted",
        RuleAction::Mute => "hidden from all lists until you delete the rule",
        RuleAction::Read => "only in the list of all entries",
        RuleAction::Keep => "no other rule mutes or marks them",
    }
}

fn part_words(part: RulePart) -> &'static str {
    match part {
        RulePart::Any => "the title, author or text",
        RulePart::Title => "the title",
        RulePart::Author => "the author",
        RulePart::Text => "the text from the feed",
    }
}

fn kind_words(kind: RuleKind) -> &'static str {
    match kind {
        RuleKind::Words => "These exact words",
        RuleKind::Expression => "A regular expression",
    }
}

/// Describes the words or the expression that a rule matches, and in which part of an entry.
pub(super) fn match_words(rule: &Rule) -> Markup {
    html! {
        @match rule.kind {
            RuleKind::Words => { "“" bdi { (rule.words) } "”" },
            RuleKind::Expression => { code { (rule.words) } },
        }
        " in " (part_words(rule.part))
    }
}
