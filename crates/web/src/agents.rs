//! Page with instructions for connecting agents: an address or a JSON configuration for each common client.

#![expect(clippy::needless_pass_by_value, reason = "handlers take their extractors by value")]

use std::sync::Arc;

use maud::{Markup, html};
use poem::http::StatusCode;
use poem::web::Data;
use poem::{Response, handler};

use super::layout::{Shell, Width, page_response, shell};
use http_kit::app::App;
use http_kit::mcp_address::Group;

/// MCP client, with the steps to connect it.
struct Client {
    id: &'static str,
    name: &'static str,
    steps: &'static str,
    block: String,
}

/// Returns the clients that the page lists, in order of display.
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
            steps: "Run this in a terminal, then type /mcp in a session to approve.",
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
            steps: "Add this to .vscode/mcp.json in a folder, or run the command MCP: Add Server.",
            block: format!(
                "{{\n  \"servers\": {{\n    \"carrel\": {{ \"type\": \"http\", \"url\": \"{endpoint}\" }}\n  }}\n}}"
            ),
        },
        Client {
            id: "cursor",
            name: "Cursor",
            steps: "Add this to .cursor/mcp.json, then choose Authenticate in the settings.",
            block: format!(
                "{{\n  \"mcpServers\": {{\n    \"carrel\": {{ \"url\": \"{endpoint}\" }}\n  }}\n}}"
            ),
        },
        Client {
            id: "programs",
            name: "Clients that run a local program: carrel mcp",
            steps: "You need carrel on the same machine and an API key, which stays in its environment.",
            block: format!(
                "{{\n  \"mcpServers\": {{\n    \"carrel\": {{\n      \"command\": \"carrel\",\n      \"args\": [\"mcp\"],\n      \"env\": {{ \"CARREL_URL\": \"{base}\", \"CARREL_API_KEY\": \"svc_…\" }}\n    }}\n  }}\n}}"
            ),
        },
    ]
}

/// Renders the page about connecting agents.
#[handler]
pub(super) fn agents(app: Data<&Arc<App>>) -> Response {
    let origins = &app.settings.origins;
    let (base, auth) = (origins.base.as_str(), origins.auth.as_str());
    let content = html! {
        h1 { "Agents" }
        p { "Connect an AI assistant with the Model Context Protocol (MCP). You approve each assistant once, on a page of Carrel, and choose whether it can only read or also make changes. It never sees your password, and you can remove its access at any time under "
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
            h2 { "Don't let pages give your agent orders" }
            p { "The texts of pages and feeds are written by strangers, and tools mark them as such. Still, review every change that an agent wants to make after it has read something you don't trust. An address that ends in " code { "/readonly" } " has no tools that change anything. Tools that change something have a dry run. Under "
                a href={ (auth) "/settings/apps" } { "Connected apps" } " you see which tools each app called, and can limit its calls a day." }
        }
    };
    let page_shell = Shell { title: "Agents", current: "/docs", width: Width::Wide };
    page_response(StatusCode::OK, shell(&app, page_shell, &content))
}

fn groups(base: &str) -> Markup {
    html! {
        section id="groups" {
            h2 { "Tools and groups" }
            p { code { (base) "/mcp" } " lists 14 tools, one for each task: search, read, save, annotate, list what is new, follow, watch. With the tool "
                code { "more_tools" } " an agent adds a group of operations to its list for a day. Each group also has its own address. Add "
                code { "/readonly" } " to any address for a read-only version." }
            ul { @for group in Group::ALL { li { code { (base) "/mcp/x/" (group.as_str()) } } } }
            p { "If a client keeps one address only, name the groups in the query, such as " code { (base) "/mcp?tools=default,library" }
                ". Clients that need structured content, such as those for deep research, add " code { "?output=structured" }
                ". VS Code accepts addresses with a query only with an API key." }
            p { "Each operation in a group is one of " a href={ (base) "/docs/developer" } { "the Developer API" }
                ", with the same limits and errors. An API key also works here, as " code { "Authorization: Bearer …" } "." }
        }
    }
}
