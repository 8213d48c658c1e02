//! Form of a rule, and descriptions of rules.

use feeds::{NewRule, Rule, RuleAction, RuleKind, RulePart, RuleScope, SAVE_RULES_PER_ENTRY, UnsavedReason};
use kernel::bounds::{OBJECT_TAGS, RULE_SAVES_PER_DAY};
use kernel::{Error, SubscriptionId};
use maud::{Markup, html};
use notices::Channel;

use crate::channel_choice::{channel_choices, channel_ids};
use crate::form_input::tags_of;
use crate::language::text::Text;
use crate::page::form::{Form, FormError, FormField, FormToken};
use crate::page::parts::RequiredField;

/// Form values of a rule.
pub(super) struct RuleInput {
    action: RuleAction,
    part: RulePart,
    kind: RuleKind,
    words: String,
    /// Tags of saved items, separated by commas.
    tags: String,
    /// Ids of the channels to which the rule sends entries.
    notify: Vec<String>,
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
            tags: String::new(),
            notify: Vec::new(),
            reach: RuleScope::NewEntries,
        }
    }

    /// Reads the values of a submitted form. An unknown value selects the first option.
    pub(super) fn of(form: &Form) -> Self {
        let empty = Self::empty();
        Self {
            action: RuleAction::parse(form.get("action")).unwrap_or(empty.action),
            part: RulePart::parse(form.get("part")).unwrap_or(empty.part),
            kind: RuleKind::parse(form.get("kind")).unwrap_or(empty.kind),
            words: form.get("words").to_owned(),
            tags: form.get("tags").to_owned(),
            notify: form.all("notify").map(str::to_owned).collect(),
            reach: if form.get("unread") == "on" { RuleScope::NewAndUnread } else { RuleScope::NewEntries },
        }
    }

    /// Returns the rule to create.
    ///
    /// # Errors
    /// `invalid_request` if there are too many tags or a tag is too long; `not_found` if a channel is unknown.
    pub(super) fn rule(&self, subscription_id: Option<SubscriptionId>) -> Result<NewRule, Error> {
        let Self { action, part, kind, .. } = *self;
        let (words, tags) = (self.words.clone(), tags_of("tags", &self.tags)?);
        let notify = channel_ids(&self.notify)?;
        Ok(NewRule { subscription_id, action, part, kind, words, tags, notify })
    }

    /// Returns the entries that the rule applies to.
    pub(super) fn reach(&self) -> RuleScope {
        self.reach
    }

    /// Describes the effect on the entries that the rule matches.
    pub(super) fn effect_words(&self) -> String {
        match self.action {
            RuleAction::Drop => Text("rules-would-drop").get(),
            RuleAction::Mute => Text("rules-would-mute").get(),
            RuleAction::Read => Text("rules-would-read").get(),
            RuleAction::Keep => Text("rules-would-keep").get(),
            RuleAction::Star => Text("rules-would-star").with("most", RULE_SAVES_PER_DAY).get(),
            RuleAction::Save => Text("rules-would-save").with("most", RULE_SAVES_PER_DAY).get(),
            RuleAction::Notify => Text("rules-would-notify").get(),
        }
    }

    /// Renders the form. Pressing Enter previews the entries that the rule matches.
    pub(super) fn form(
        &self,
        path: &str,
        channels: &[Channel],
        (token, form_error): (&FormToken, &FormError),
    ) -> Markup {
        let words = RequiredField {
            name: "words",
            label: Text("rules-pattern"),
            hint: Some(Text("rules-pattern-hint")),
            kind: "text",
            value: &self.words,
            autocomplete: "off",
        };
        let tags_label = Text("items-tags").get();
        let tags_hint =
            Text("rules-tags-hint").with("rules", SAVE_RULES_PER_ENTRY).with("tags", OBJECT_TAGS).get();
        let tags = FormField {
            name: "tags",
            label: &tags_label,
            hint: &tags_hint,
            kind: "text",
            value: &self.tags,
            autocomplete: "off",
            required: false,
        };
        html! {
            form.stack method="post" action={ (path) "#new" } {
                (token.field())
                fieldset {
                    legend { (Text("rules-action")) }
                    @for action in RuleAction::ALL {
                        (choice("action", action.as_str(), *action == self.action, (action_words(*action), Some(action_note(*action)))))
                    }
                }
                div {
                    label for="part" { (Text("rules-part")) }
                    select #part name="part" {
                        @for part in RulePart::ALL { option value=(part.as_str()) selected[*part == self.part] { (part_words(*part)) } }
                    }
                }
                fieldset {
                    legend { (Text("rules-kind")) }
                    @for kind in RuleKind::ALL {
                        (choice("kind", kind.as_str(), *kind == self.kind, (kind_words(*kind), None)))
                    }
                }
                (words.show(form_error))
                (tags.show(form_error))
                fieldset #notify tabindex="-1" {
                    legend { (Text("rules-channels")) }
                    p.rule { (Text("rules-channels-hint")) }
                    (channel_choices(channels, &self.notify))
                    (form_error.on_group("notify"))
                }
                label.choice {
                    input type="checkbox" name="unread" checked[self.reach == RuleScope::NewAndUnread];
                    span { (Text("rules-unread-too")) }
                }
                div.row {
                    button.secondary type="submit" name="act" value="preview" { (Text("rules-preview")) }
                    button type="submit" name="act" value="create" { (Text("rules-create")) }
                }
            }
        }
    }
}

fn choice(name: &str, value: &str, is_chosen: bool, (words, note): (Text, Option<Text>)) -> Markup {
    html! {
        label.choice {
            input type="radio" name=(name) value=(value) checked[is_chosen];
            span { (words) @if let Some(note) = note { ": " span.soft { (note) } } }
        }
    }
}

/// Returns the name of an action.
fn action_words(action: RuleAction) -> Text {
    match action {
        RuleAction::Drop => Text("rules-drop"),
        RuleAction::Mute => Text("rules-mute"),
        RuleAction::Read => Text("entries-mark-read"),
        RuleAction::Keep => Text("rules-keep"),
        RuleAction::Star => Text("entries-star"),
        RuleAction::Save => Text("rules-save"),
        RuleAction::Notify => Text("rules-notify"),
    }
}

fn action_note(action: RuleAction) -> Text {
    match action {
        RuleAction::Drop => Text("rules-drop-note"),
        RuleAction::Mute => Text("rules-mute-note"),
        RuleAction::Read => Text("rules-read-note"),
        RuleAction::Keep => Text("rules-keep-note"),
        RuleAction::Star => Text("rules-star-note"),
        RuleAction::Save => Text("rules-save-note"),
        RuleAction::Notify => Text("rules-notify-note"),
    }
}

fn part_words(part: RulePart) -> Text {
    match part {
        RulePart::Any => Text("rules-part-any"),
        RulePart::Title => Text("rules-part-title"),
        RulePart::Author => Text("rules-part-author"),
        RulePart::Text => Text("rules-part-text"),
        RulePart::Url => Text("rules-part-url"),
        RulePart::Published => Text("rules-part-published"),
        RulePart::Media => Text("rules-part-media"),
        RulePart::Category => Text("rules-part-category"),
    }
}

fn kind_words(kind: RuleKind) -> Text {
    match kind {
        RuleKind::Words => Text("rules-kind-words"),
        RuleKind::Expression => Text("rules-kind-expression"),
    }
}

/// Describes why entries were not starred or saved.
pub(super) fn unsaved_words(reason: UnsavedReason) -> String {
    match reason {
        UnsavedReason::DailyLimit => Text("rules-unsaved-daily-limit").with("most", RULE_SAVES_PER_DAY).get(),
        UnsavedReason::StorageLimit => Text("rules-unsaved-storage-limit").get(),
        UnsavedReason::Deleted => Text("rules-unsaved-deleted").get(),
        UnsavedReason::Unavailable => Text("rules-unsaved-unavailable").get(),
        UnsavedReason::Failed => Text("rules-unsaved-failed").get(),
    }
}

/// Describes a rule: its action, the words or the expression that it matches, and the part of an entry that
/// it searches.
pub(super) fn rule_words(rule: &Rule) -> Markup {
    let (text, pattern) = match rule.kind {
        RuleKind::Words => (Text("rules-summary-words"), html! { bdi { (rule.words) } }),
        RuleKind::Expression => (Text("rules-summary-expression"), html! { code { (rule.words) } }),
    };
    let (action, part) = (action_words(rule.action).get(), part_words(rule.part).get());
    text.with("action", action).with("part", part).markup(&[("pattern", pattern)])
}
