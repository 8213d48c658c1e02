//! How agents are connected: an address to paste, or a block of JSON, for the clients that people have.

#![expect(clippy::needless_pass_by_value, reason = "handlers get their extractors by value")]

use std::sync::Arc;

use maud::{Markup, html};
use poem::http::StatusCode;
use poem::web::Data;
use poem::{Response, handler};

use super::layout::{Shell, Width, page_response, shell};
use http_kit::app::App;
use http_kit::mcp_address::Group;

/// A client, and what is done there.
struct Client {
    id: &'static str,
    name: &'static str,
    steps: &'static str,
    block: String,
}

/// The clients that are shown.
fn clients(base: &str) -> [Client; 6] {
    let endpoint = format!("{base}/mcp");
    [
        Client {
            id: "claude",
            name: "Claude (web, desktop, phone)",
            steps: "Settings, Connectors, Add custom connector. Paste the address and approve on the page that opens.",
            block: endpoint.clone(),
        },
        Client {
            id: "claude-code",
            name: "Claude Code",
            steps: "In a terminal; then /mcp in a session to approve.",
            block: format!("claude mcp add --transport http carrel {endpoint}"),
        },
        Client {
            id: "chatgpt",
            name: "ChatGPT",
            steps: "Settings, Connectors, Create, in developer mode. Paste the address, choose OAuth and approve.",
            block: endpoint.clone(),
        },
        Client {
            id: "vs-code",
            name: "VS Code",
            steps: "In .vscode/mcp.json of a folder, or by the command MCP: Add Server.",
            block: format!(
                "{{\n  \"servers\": {{\n    \"carrel\": {{ \"type\": \"http\", \"url\": \"{endpoint}\" }}\n  }}\n}}"
            ),
        },
        Client {
            id: "cursor",
            name: "Cursor",
            steps: "In .cursor/mcp.json, then Authenticate in its settings. Cursor takes few tools of all servers together; this group has the most needed.",
            block: format!(
                "{{\n  \"mcpServers\": {{\n    \"carrel\": {{ \"url\": \"{endpoint}/x/core\" }}\n  }}\n}}"
            ),
        },
        Client {
            id: "programs",
            name: "Clients that start a program: carrel mcp",
            steps: "With this program on the same machine and an API key of yours, which stays in its environment.",
            block: format!(
                "{{\n  \"mcpServers\": {{\n    \"carrel\": {{\n      \"command\": \"carrel\",\n      \"args\": [\"mcp\", \"--group\", \"core\"],\n      \"env\": {{ \"CARREL_URL\": \"{base}\", \"CARREL_API_KEY\": \"svc_…\" }}\n    }}\n  }}\n}}"
            ),
        },
    ]
}

/// How agents are connected.
#[handler]
pub(super) fn agents(app: Data<&Arc<App>>) -> Response {
    let origins = &app.settings.origins;
    let (base, auth) = (origins.base.as_str(), origins.auth.as_str());
    let content = html! {
        h1 { "Agents" }
        p { "Programs that act for you connect here by the Model Context Protocol. You are asked once, on a page of ours, what each of them may do: \
            read, or also change. Your password is never theirs, and you can end each connection at any time under "
            a href={ (auth) "/settings/apps" } { "Connected apps" } "." }
        pre tabindex="0" { code { (base) "/mcp" } }
        @for client in clients(base) {
            section id=(client.id) {
                h2 { (client.name) }
                p { (client.steps) }
                pre tabindex="0" { code { (client.block) } }
            }
        }
        (groups(base))
        section id="untrusted" {
            h2 { "What is read is not to be obeyed" }
            p { "Texts of pages and feeds are written by strangers. Tools say so wherever they return some; still, let nothing change your library \
                without your look at it when an agent has read what you do not know. An address that ends in " code { "/readonly" } " has no tool that changes anything." }
        }
    };
    let about = Shell { title: "Agents", current: "/docs", width: Width::Wide };
    page_response(StatusCode::OK, shell(&app, about, &content))
}

fn groups(base: &str) -> Markup {
    html! {
        section id="groups" {
            h2 { "Fewer tools" }
            p { "Some clients take only so many tools, and models choose better among few. Each group has an address of its own, and each address a form without changes: "
                code { "/readonly" } " behind it." }
            ul { @for group in Group::ALL { li { code { (base) "/mcp/x/" (group.as_str()) } } } }
            p { "Every tool is an operation of " a href={ (base) "/docs/developer" } { "the Developer API" }
                ", with the same limits and the same errors. An API key works here too, as " code { "Authorization: Bearer …" } "." }
        }
    }
}
