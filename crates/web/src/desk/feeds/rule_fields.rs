//! The form of a rule, and the words that rules are told in.

use feeds::{NewRule, Reach, Rule, RuleAction, RuleKind, RulePart};
use kernel::SubscriptionId;
use maud::{Markup, html};

use crate::account::form::{Field, Form, FormError, FormToken};

/// What the form holds.
pub(super) struct RuleInput {
    action: RuleAction,
    part: RulePart,
    kind: RuleKind,
    words: String,
    reach: Reach,
}

impl RuleInput {
    /// The form as it is first shown.
    pub(super) fn empty() -> Self {
        Self {
            action: RuleAction::Mute,
            part: RulePart::Any,
            kind: RuleKind::Words,
            words: String::new(),
            reach: Reach::Coming,
        }
    }

    /// What was sent; the first choice where a word is none.
    pub(super) fn of(form: &Form) -> Self {
        let empty = Self::empty();
        Self {
            action: RuleAction::parse(form.get("action")).unwrap_or(empty.action),
            part: RulePart::parse(form.get("part")).unwrap_or(empty.part),
            kind: RuleKind::parse(form.get("kind")).unwrap_or(empty.kind),
            words: form.get("words").to_owned(),
            reach: if form.get("unread") == "on" { Reach::Unread } else { Reach::Coming },
        }
    }

    /// The rule that is meant.
    pub(super) fn rule(&self, subscription_id: Option<SubscriptionId>) -> NewRule {
        let Self { action, part, kind, .. } = *self;
        NewRule { subscription_id, action, part, kind, words: self.words.clone() }
    }

    /// Which entries it is for.
    pub(super) fn reach(&self) -> Reach {
        self.reach
    }

    /// What would become of the entries that the rule finds.
    pub(super) fn fate(&self) -> &'static str {
        match self.action {
            RuleAction::Mute => "muted: in no list, not counted as unread, and no app is told of them",
            RuleAction::Read => "marked as read",
            RuleAction::Keep => "kept, whatever the other rules say",
        }
    }

    /// The form. Enter in it shows what the rule finds.
    pub(super) fn form(&self, path: &str, token: &FormToken, form_error: &FormError) -> Markup {
        let words = Field {
            name: "words",
            label: "Words or expression",
            rule: "Case makes no difference. An expression is a regular expression such as \\bsale\\b or ^(Ad|Sponsored):.",
            kind: "text",
            value: &self.words,
            autocomplete: "off",
            required: true,
        };
        html! {
            form.stack method="post" action={ (path) "#new" } {
                (token.field())
                fieldset {
                    legend { "What happens" }
                    @for action in RuleAction::ALL {
                        (choice("action", action.as_str(), *action == self.action, action_words(*action), action_note(*action)))
                    }
                }
                div {
                    label for="part" { "To entries that have, in" }
                    select #part name="part" {
                        @for part in RulePart::ALL { option value=(part.as_str()) selected[*part == self.part] { (part_words(*part)) } }
                    }
                }
                fieldset {
                    legend { "One of" }
                    @for kind in RuleKind::ALL {
                        (choice("kind", kind.as_str(), *kind == self.kind, kind_words(*kind), ""))
                    }
                }
                (words.show(form_error))
                label.choice {
                    input type="checkbox" name="unread" checked[self.reach == Reach::Unread];
                    span { "Also for what is unread now (the newest 500)" }
                }
                div.row {
                    button.quiet type="submit" name="act" value="preview" { "See what it finds" }
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

/// What is done, as a verb.
pub(super) fn action_words(action: RuleAction) -> &'static str {
    match action {
        RuleAction::Mute => "Mute",
        RuleAction::Read => "Mark as read",
        RuleAction::Keep => "Keep",
    }
}

fn action_note(action: RuleAction) -> &'static str {
    match action {
        RuleAction::Mute => "they are in no list until you delete the rule",
        RuleAction::Read => "they are in the list of all entries",
        RuleAction::Keep => "no other rule mutes them or marks them",
    }
}

fn part_words(part: RulePart) -> &'static str {
    match part {
        RulePart::Any => "the title, author or text",
        RulePart::Title => "the title",
        RulePart::Author => "the author",
        RulePart::Text => "the text that the feed gives",
    }
}

fn kind_words(kind: RuleKind) -> &'static str {
    match kind {
        RuleKind::Words => "These words, as they stand",
        RuleKind::Expression => "A regular expression",
    }
}

/// What a rule looks for, and where.
pub(super) fn looked_for(rule: &Rule) -> Markup {
    html! {
        @match rule.kind {
            RuleKind::Words => { "“" bdi { (rule.words) } "”" },
            RuleKind::Expression => { code { (rule.words) } },
        }
        " in " (part_words(rule.part))
    }
}
