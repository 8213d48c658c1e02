//! Page of the handbook about the commands, made from the same definitions as `--help`.

use std::fmt::Write;

use clap::{Arg, Command};

/// Creates the page in Markdown. `command` is the root of the command line.
pub(super) fn page(mut command: Command) -> String {
    command.build();
    let name = command.get_name();
    let mut page = format!("# Commands\n\n`{name} COMMAND --help` prints the same.\n");
    if let Some(about) = command.get_long_about() {
        push_paragraphs(&mut page, &about.to_string());
    }
    push_commands(&mut page, &command, 2);
    page
}

/// Appends each visible subcommand with its arguments, and then its own subcommands.
fn push_commands(page: &mut String, command: &Command, level: usize) {
    let visible = |child: &&Command| !child.is_hide_set() && child.get_name() != "help";
    for child in command.get_subcommands().filter(visible) {
        let name = child.get_bin_name().unwrap_or_else(|| child.get_name());
        let _ = write!(page, "\n{} `{name}`\n", "#".repeat(level));
        if let Some(about) = child.get_long_about().or_else(|| child.get_about()) {
            push_paragraphs(page, &about.to_string());
        }
        page.push('\n');
        for argument in child.get_arguments().filter(|argument| !argument.is_hide_set()) {
            push_argument(page, argument);
        }
        push_commands(page, child, 3);
    }
}

fn push_paragraphs(page: &mut String, text: &str) {
    for paragraph in text.split("\n\n") {
        let _ = write!(page, "\n{}\n", web::escape_markdown(paragraph.trim()));
    }
}

fn push_argument(page: &mut String, argument: &Arg) {
    if matches!(argument.get_id().as_str(), "help" | "version") {
        return;
    }
    let short = argument.get_short().map(|short| format!("-{short}"));
    let long = argument.get_long().map(|long| format!("--{long}"));
    let names: Vec<String> = short.into_iter().chain(long).collect();
    let mut label = names.join(", ");
    if argument.is_positional() || argument.get_action().takes_values() {
        for name in argument.get_value_names().unwrap_or_default() {
            let _ = write!(label, " <{name}>");
        }
    }
    let help = argument.get_long_help().or_else(|| argument.get_help());
    let help = help.map(ToString::to_string).unwrap_or_default();
    let _ = write!(page, "- `{}`: {}", label.trim(), web::escape_markdown(&help));
    let values: Vec<String> = argument
        .get_possible_values()
        .iter()
        .filter(|value| !value.is_hide_set() && argument.get_action().takes_values())
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    if !values.is_empty() {
        let _ = write!(page, " Values: {}.", values.join(", "));
    }
    page.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_lists_visible_commands_with_their_arguments() {
        let command = Command::new("tool")
            .subcommand(
                Command::new("go")
                    .about("Go to <there>.")
                    .arg(Arg::new("far").long("far").short('f').value_name("KM").help("Distance."))
                    .subcommand(Command::new("back").about("Return.")),
            )
            .subcommand(Command::new("secret").hide(true));
        let page = page(command);
        assert!(
            page.contains("\n## `tool go`\n\nGo to \\<there>.\n\n- `-f, --far <KM>`: Distance.\n"),
            "{page}"
        );
        assert!(page.contains("\n### `tool go back`\n\nReturn.\n"), "{page}");
        assert!(!page.contains("secret"), "{page}");
    }
}
