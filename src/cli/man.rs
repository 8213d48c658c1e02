//! `carrel man`: the manual page (roff), made from the same definitions as `--help`.

use std::io::Write;

use anyhow::Context;
use clap::{Arg, Command};

/// Prints the page of `command` with all its subcommands.
pub(super) fn print(command: Command) -> anyhow::Result<()> {
    std::io::stdout().write_all(page(command).as_bytes()).context("standard output is closed")
}

/// Creates the page. It contains no date, so that packages are reproducible.
fn page(mut command: Command) -> String {
    command.build();
    let name = command.get_name().to_owned();
    let version = command.get_version().unwrap_or_default().to_owned();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut text = format!(
        ".TH {} 1 \"\" \"{name} {version}\"\n.SH NAME\n{name} \\- {}\n.SH SYNOPSIS\n.B {name}\n[COMMAND] [OPTIONS]\n",
        name.to_uppercase(),
        escaped(about.trim_end_matches('.')),
    );
    if let Some(description) = command.get_long_about() {
        text.push_str(&format!(".SH DESCRIPTION\n{}\n", paragraphs(&description.to_string())));
    }
    text.push_str(".SH COMMANDS\n");
    push_commands(&mut text, &command);
    text.push_str(
        ".SH FILES\n.TP\n.I carrel.env, .env\nSettings in the working directory. The environment overrides both.\n",
    );
    text.push_str(".SH EXIT STATUS\n0 on success, 1 on failure, 2 if the arguments are invalid. Commands with other statuses list them.\n");
    if let Some(examples) = command.get_after_help() {
        let examples = examples.to_string();
        let examples = examples.trim_start_matches("Examples:");
        text.push_str(&format!(".SH EXAMPLES\n.nf\n{}\n.fi\n", escaped(examples.trim_matches('\n'))));
    }
    text
}

/// Appends each visible subcommand with its arguments, and then its own subcommands.
fn push_commands(text: &mut String, command: &Command) {
    for child in command.get_subcommands().filter(|child| !child.is_hide_set() && child.get_name() != "help")
    {
        let name = child.get_bin_name().unwrap_or_else(|| child.get_name());
        text.push_str(&format!(".SS {}\n", escaped(name)));
        if let Some(about) = child.get_long_about().or_else(|| child.get_about()) {
            text.push_str(&format!("{}\n", paragraphs(&about.to_string())));
        }
        for argument in child.get_arguments().filter(|argument| !argument.is_hide_set()) {
            push_argument(text, argument);
        }
        push_commands(text, child);
    }
}

fn push_argument(text: &mut String, argument: &Arg) {
    if matches!(argument.get_id().as_str(), "help" | "version") {
        return;
    }
    let mut label: Vec<String> = Vec::new();
    label.extend(argument.get_short().map(|short| format!("-{short}")));
    label.extend(argument.get_long().map(|long| format!("--{long}")));
    let mut label: Vec<String> =
        label.into_iter().reduce(|all, name| format!("{all}, {name}")).into_iter().collect();
    if argument.is_positional() || argument.get_action().takes_values() {
        let names = argument.get_value_names().unwrap_or_default();
        label.extend(names.iter().map(|name| format!("<{name}>")));
    }
    let label = label.join(" ");
    let help = argument.get_long_help().or_else(|| argument.get_help());
    let help = help.map(ToString::to_string).unwrap_or_default();
    text.push_str(&format!(".TP\n.B {}\n{}\n", escaped(&label), paragraphs(&help)));
    let values: Vec<String> = argument
        .get_possible_values()
        .iter()
        .filter(|value| !value.is_hide_set() && argument.get_action().takes_values())
        .map(|value| value.get_name().to_owned())
        .collect();
    if !values.is_empty() {
        text.push_str(&format!("Values: {}.\n", escaped(&values.join(", "))));
    }
}

/// Formats a text of several paragraphs.
fn paragraphs(text: &str) -> String {
    let paragraphs: Vec<String> = text.split("\n\n").map(|paragraph| escaped(paragraph.trim())).collect();
    paragraphs.join("\n.PP\n")
}

/// Escapes backslashes, hyphens, and control characters at the beginning of lines.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    let lines = text.lines().map(|line| {
        let is_request = line.starts_with('.') || line.starts_with('\'');
        if is_request { format!("\\&{line}") } else { line.to_owned() }
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_lists_commands_and_options_except_hidden_commands() {
        let command = Command::new("tool")
            .version("1.2")
            .about("A tool.")
            .subcommand(
                Command::new("go").about("Go.").arg(Arg::new("far").long("far").value_name("KM").help(".5")),
            )
            .subcommand(Command::new("secret").hide(true));
        let page = page(command);
        assert!(page.starts_with(".TH TOOL 1 \"\" \"tool 1.2\"\n.SH NAME\ntool \\- A tool\n"), "{page}");
        assert!(page.contains(".SS tool go\nGo.\n.TP\n.B \\-\\-far <KM>\n\\&.5\n"), "{page}");
        assert!(!page.contains("secret"), "{page}");
    }
}
