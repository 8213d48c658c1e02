//! Table of agent clients: one row per client, with its installation for the public address of the service. The page
//! about agents and a table of the handbook are generated from it.

use data_encoding::BASE64;
use serde_json::{Value, json};
use url::form_urlencoded::byte_serialize;

/// Name under which clients list the server.
const SERVER: &str = "carrel";
/// Placeholder for an API key in configurations.
const KEY: &str = "svc_…";

/// Machine on which a client runs. It determines which addresses the client can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunsOn {
    /// Servers of the client's vendor, which reach public https addresses only.
    VendorServers,
    /// The person's machine.
    Device,
    /// A server of the person or of their organization.
    OwnServer,
}

impl RunsOn {
    pub(super) const fn label(self) -> &'static str {
        match self {
            Self::VendorServers => "servers of its vendor",
            Self::Device => "your machine",
            Self::OwnServer => "a server",
        }
    }
}

/// Transport of a client's connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClientTransport {
    /// Streamable HTTP.
    Http,
    /// Pipes to `carrel mcp`, which the client starts.
    Stdio,
}

impl ClientTransport {
    pub(super) const fn label(self) -> &'static str {
        match self {
            Self::Http => "HTTP",
            Self::Stdio => "stdio",
        }
    }
}

/// Text that installs the server in a client.
#[derive(Clone, Copy)]
enum Install {
    /// Address to paste.
    Address,
    /// Command whose last argument is the address.
    Command(&'static str),
    /// Command whose last argument is the origin of the service.
    OriginCommand(&'static str),
    /// JSON of a configuration file.
    Config(fn(&str) -> Value),
}

/// A client and its installation.
pub(super) struct AgentClient {
    /// Anchor on the page.
    pub id: &'static str,
    pub name: &'static str,
    pub runs_on: RunsOn,
    pub transport: ClientTransport,
    pub steps: &'static str,
    install: Install,
    /// Deep link that opens the client, made from the address of the MCP endpoint.
    link: Option<fn(&str) -> String>,
}

/// All clients, in the order of the page.
pub(super) const CLIENTS: [AgentClient; 12] = [
    AgentClient {
        id: "claude",
        name: "Claude (web, desktop, phone)",
        runs_on: RunsOn::VendorServers,
        transport: ClientTransport::Http,
        steps: "Open the link, or choose Customize, Connectors, Add custom connector, and paste the address. Approve on the page that opens.",
        install: Install::Address,
        link: Some(claude_link),
    },
    AgentClient {
        id: "claude-code",
        name: "Claude Code",
        runs_on: RunsOn::Device,
        transport: ClientTransport::Http,
        steps: "Run this in a terminal, then type /mcp in a session to approve.",
        install: Install::Command("claude mcp add --transport http carrel"),
        link: None,
    },
    AgentClient {
        id: "chatgpt",
        name: "ChatGPT",
        runs_on: RunsOn::VendorServers,
        transport: ClientTransport::Http,
        steps: "Settings, Apps, Advanced settings: turn on developer mode. Then choose Create app, paste the address, choose OAuth and approve.",
        install: Install::Address,
        link: None,
    },
    AgentClient {
        id: "vs-code",
        name: "VS Code",
        runs_on: RunsOn::Device,
        transport: ClientTransport::Http,
        steps: "Open the link, or add this to .vscode/mcp.json in a folder.",
        install: Install::Config(vs_code_config),
        link: Some(vs_code_link),
    },
    AgentClient {
        id: "cursor",
        name: "Cursor",
        runs_on: RunsOn::Device,
        transport: ClientTransport::Http,
        steps: "Open the link, or add this to .cursor/mcp.json. Then choose Authenticate in the settings.",
        install: Install::Config(cursor_config),
        link: Some(cursor_link),
    },
    AgentClient {
        id: "gemini-cli",
        name: "Gemini CLI",
        runs_on: RunsOn::Device,
        transport: ClientTransport::Http,
        steps: "Run this in a terminal, then type /mcp auth carrel in a session to approve.",
        install: Install::Command("gemini mcp add --transport http carrel"),
        link: None,
    },
    AgentClient {
        id: "goose",
        name: "Goose",
        runs_on: RunsOn::Device,
        transport: ClientTransport::Http,
        steps: "Open the link, or add an extension of the type Streamable HTTP with this address.",
        install: Install::Address,
        link: Some(goose_link),
    },
    AgentClient {
        id: "lm-studio",
        name: "LM Studio",
        runs_on: RunsOn::Device,
        transport: ClientTransport::Http,
        steps: "Open the link, or choose Program, Install, Edit mcp.json and add this. Replace svc_… with an API key.",
        install: Install::Config(lm_studio_config),
        link: Some(lm_studio_link),
    },
    AgentClient {
        id: "open-webui",
        name: "Open WebUI",
        runs_on: RunsOn::OwnServer,
        transport: ClientTransport::Http,
        steps: "Admin settings, External tools, Add server: the type is MCP (Streamable HTTP), with this address and OAuth 2.1.",
        install: Install::Address,
        link: None,
    },
    AgentClient {
        id: "n8n",
        name: "n8n",
        runs_on: RunsOn::OwnServer,
        transport: ClientTransport::Http,
        steps: "Add the node MCP Client Tool: the transport is HTTP Streamable, the endpoint this address, and the authentication OAuth2, or Bearer with an API key.",
        install: Install::Address,
        link: None,
    },
    AgentClient {
        id: "programs",
        name: "Clients that start a local program: carrel mcp",
        runs_on: RunsOn::Device,
        transport: ClientTransport::Stdio,
        steps: "You need carrel on the same machine and an API key, which stays in its environment.",
        install: Install::Config(program_config),
        link: None,
    },
    AgentClient {
        id: "bundles",
        name: "Desktop clients that install bundles (.mcpb)",
        runs_on: RunsOn::Device,
        transport: ClientTransport::Stdio,
        steps: "Run this in a terminal and open the file with the client, such as Claude for desktops. It asks for an API key.",
        install: Install::OriginCommand("carrel mcp bundle --out carrel.mcpb --url"),
        link: None,
    },
];

impl AgentClient {
    /// Returns the text to paste or run, for the public address of the service.
    pub(super) fn text(&self, base_url: &str) -> String {
        let endpoint = endpoint(base_url);
        match self.install {
            Install::Address => endpoint,
            Install::Command(command) => format!("{command} {endpoint}"),
            Install::OriginCommand(command) => format!("{command} {base_url}"),
            Install::Config(config) => format!("{:#}", config(base_url)),
        }
    }

    /// Returns the deep link for the public address of the service. `None` if the client has none.
    pub(super) fn link(&self, base_url: &str) -> Option<String> {
        self.link.map(|link| link(&endpoint(base_url)))
    }
}

fn endpoint(base_url: &str) -> String {
    format!("{base_url}/mcp")
}

fn vs_code_config(base_url: &str) -> Value {
    json!({ "servers": { SERVER: { "type": "http", "url": endpoint(base_url) } } })
}

fn cursor_config(base_url: &str) -> Value {
    json!({ "mcpServers": { SERVER: { "url": endpoint(base_url) } } })
}

fn lm_studio_config(base_url: &str) -> Value {
    json!({ "mcpServers": { SERVER: lm_studio_server(&endpoint(base_url)) } })
}

fn lm_studio_server(endpoint: &str) -> Value {
    json!({ "url": endpoint, "headers": { "Authorization": format!("Bearer {KEY}") } })
}

fn program_config(base_url: &str) -> Value {
    let environment = json!({ "CARREL_URL": base_url, "CARREL_API_KEY": KEY });
    json!({ "mcpServers": { SERVER: { "command": "carrel", "args": ["mcp"], "env": environment } } })
}

fn claude_link(endpoint: &str) -> String {
    let endpoint = escaped(endpoint);
    format!(
        "https://claude.ai/customize/connectors?modal=add-custom-connector&connectorName=Carrel&connectorUrl={endpoint}"
    )
}

fn vs_code_link(endpoint: &str) -> String {
    let server = json!({ "name": SERVER, "type": "http", "url": endpoint });
    format!("vscode:mcp/install?{}", escaped(&server.to_string()))
}

fn cursor_link(endpoint: &str) -> String {
    let config = encoded(&json!({ "url": endpoint }));
    format!("cursor://anysphere.cursor-deeplink/mcp/install?name={SERVER}&config={config}")
}

fn goose_link(endpoint: &str) -> String {
    let endpoint = escaped(endpoint);
    format!(
        "goose://extension?url={endpoint}&type=streamable_http&id={SERVER}&name=Carrel&description=Carrel&timeout=300"
    )
}

fn lm_studio_link(endpoint: &str) -> String {
    format!("lmstudio://add_mcp?name={SERVER}&config={}", encoded(&lm_studio_server(endpoint)))
}

/// Encodes a value as JSON in base64, escaped for a query.
fn encoded(value: &Value) -> String {
    escaped(&BASE64.encode(value.to_string().as_bytes()))
}

/// Escapes a text without spaces for a query.
fn escaped(text: &str) -> String {
    byte_serialize(text.as_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use url::Url;

    use super::*;

    const BASE: &str = "https://carrel.example.org";
    const ENDPOINT: &str = "https://carrel.example.org/mcp";

    fn parameter(link: &str, name: &str) -> String {
        let url = Url::parse(link).unwrap();
        let value = url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
        value.unwrap_or_else(|| panic!("{link} has no {name}"))
    }

    fn decoded(text: &str) -> Value {
        serde_json::from_slice(&BASE64.decode(text.as_bytes()).unwrap()).unwrap()
    }

    /// Returns the address of the endpoint in a deep link, parsed as the client parses it.
    fn address_of(id: &str, link: &str) -> Value {
        match id {
            "claude" => parameter(link, "connectorUrl").into(),
            "goose" => parameter(link, "url").into(),
            "cursor" | "lm-studio" => decoded(&parameter(link, "config"))["url"].clone(),
            "vs-code" => {
                let url = Url::parse(link).unwrap();
                let (text, _) = url::form_urlencoded::parse(url.query().unwrap().as_bytes()).next().unwrap();
                serde_json::from_str::<Value>(&text).unwrap()["url"].clone()
            }
            _ => panic!("{id} has no deep link"),
        }
    }

    #[test]
    fn every_link_parses_and_contains_the_address() {
        let mut schemes = HashSet::new();
        for client in &CLIENTS {
            let Some(link) = client.link(BASE) else { continue };
            let url = Url::parse(&link).unwrap();
            assert!(schemes.insert(url.scheme().to_owned()), "{link}");
            assert_eq!(address_of(client.id, &link), ENDPOINT, "{link}");
        }
        assert_eq!(schemes.len(), 5);
    }

    #[test]
    fn every_text_contains_the_address() {
        let mut ids = HashSet::new();
        for client in &CLIENTS {
            assert!(ids.insert(client.id), "{}", client.id);
            let text = client.text(BASE);
            match client.transport {
                ClientTransport::Http => assert!(text.contains(ENDPOINT), "{text}"),
                ClientTransport::Stdio => assert!(text.contains(BASE) && !text.contains(ENDPOINT), "{text}"),
            }
            if text.starts_with('{') {
                serde_json::from_str::<Value>(&text).unwrap();
            }
        }
    }

    fn handbook_table() -> String {
        let mut table =
            "| client | runs on | transport | installation | link |\n|---|---|---|---|---|\n".to_owned();
        for client in &CLIENTS {
            let text = match client.install {
                Install::Config(config) => config(BASE).to_string(),
                Install::Address | Install::Command(_) | Install::OriginCommand(_) => client.text(BASE),
            };
            let link = client.link(BASE).map(|link| format!("`{link}`")).unwrap_or_default();
            let (name, runs_on, transport) = (client.name, client.runs_on.label(), client.transport.label());
            table.push_str(&format!("| {name} | {runs_on} | {transport} | `{text}` | {link} |\n"));
        }
        table
    }

    #[test]
    fn handbook_lists_every_client() {
        let path = format!("{}/../../docs/handbook/agents.md", env!("CARGO_MANIFEST_DIR"));
        let handbook = std::fs::read_to_string(path).unwrap();
        let (_, rest) = handbook.split_once("<!-- clients -->\n").unwrap();
        let (table, _) = rest.split_once("<!-- /clients -->").unwrap();
        let expected = handbook_table();
        assert_eq!(table, expected, "replace the table of docs/handbook/agents.md by:\n{expected}");
    }
}
