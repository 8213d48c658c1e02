//! `/auth.md`: how an agent gets a credential and keeps it, in words that it can follow.

use poem::http::header;
use poem::{IntoResponse, Response};

use crate::config::Origins;

/// The guide with the real addresses.
pub(super) fn answer(origins: &Origins) -> Response {
    text(origins)
        .with_content_type("text/markdown; charset=utf-8")
        .with_header(header::CACHE_CONTROL, "public, max-age=300")
        .into_response()
}

fn text(origins: &Origins) -> String {
    let (auth, base) = (origins.auth.as_str(), origins.base.as_str());
    format!(
        r#"# How to act for a person at Carrel

An agent registers by itself, without an identity: there is no claim step and no identity assertion. What it may do is
decided by a person, on a page, each time anew. Everything below is OAuth 2.1 with PKCE.

If your person gave you an API key (`svc_…`), you need none of this: send `Authorization: Bearer svc_…`.

## 1. Discover

- `GET {base}/.well-known/oauth-protected-resource` (the API) or `{base}/.well-known/oauth-protected-resource/mcp` (MCP)
  names the authorization server: `{auth}`.
- `GET {auth}/.well-known/oauth-authorization-server` names its endpoints. There is no OpenID Connect here.
- A request without a credential is answered 401 with `WWW-Authenticate: Bearer … resource_metadata="…", scope="svc:read"`.

## 2. Register

```
curl -X POST {auth}/oauth/register -H 'Content-Type: application/json' -d '{{
  "client_name": "My agent",
  "redirect_uris": ["http://localhost/callback"],
  "token_endpoint_auth_method": "none"
}}'
```

The answer holds `client_id`. The same registration gives the same id, and it never expires: keep it or ask again.
Redirect URIs are `https` anywhere, `http` to `127.0.0.1`, `[::1]` or `localhost` (any port may be used later), or a
scheme of your own such as `my-agent://callback` (public clients only). Each is compared byte by byte, but for the port
of a loopback address; `localhost` is not `127.0.0.1`. Without `token_endpoint_auth_method` you get a secret for
`client_secret_basic`. At most 20 redirect URIs, 2000 characters each; name and redirect URIs must fit into an id of 900
characters. Instead of registering you may use the https address of a client ID metadata document as your `client_id`.

## 3. Ask the person

Make a `code_verifier` (43 to 128 of `A-Z a-z 0-9 - . _ ~`), and `code_challenge` = base64url(SHA-256(verifier)). Open in
the person's browser:

```
{auth}/oauth/authorize?response_type=code&client_id=CLIENT_ID&redirect_uri=http://localhost:3118/callback
  &code_challenge=CHALLENGE&code_challenge_method=S256&scope=svc:read&state=STATE&resource={base}
```

- Scopes: `svc:read` reads library and source content; `svc:write` also changes it. Ask for the least you need.
  `openid profile email address phone offline_access` are dropped; any other name is `invalid_scope`. The person may
  give less or more than you asked for: the token's `scope` says what became of it.
- `resource`: `{base}` (also when left out) is good for the API and for MCP; `{base}/mcp` for MCP alone.
- The answer comes to your redirect URI with `code`, `iss` (must be `{auth}`) and your `state`; or with `error`.

## 4. Get tokens

```
curl -X POST {auth}/oauth/token -d grant_type=authorization_code -d client_id=CLIENT_ID -d code=CODE \
  -d code_verifier=VERIFIER -d redirect_uri=http://localhost:3118/callback
```

Forms only. A code holds for 60 seconds and works once; a second use ends everything that came of it. The answer holds
`access_token` (`svo_…`, 60 minutes), `refresh_token` (`svr_…`) and `scope`.

## 5. Call

```
curl {base}/v1/me -H 'Authorization: Bearer ACCESS_TOKEN'
```

MCP is at `{base}/mcp`, with the same header. Send tokens to `{base}` alone, in this header alone: never in an address.

## 6. Refresh

```
curl -X POST {auth}/oauth/token -d grant_type=refresh_token -d client_id=CLIENT_ID -d refresh_token=REFRESH_TOKEN
```

Each refresh gives a new refresh token; keep it in place of the old one. If the answer is lost, or several of your
processes refresh at once, ask again with the same token, scope and resource: within 120 seconds, or as long as nothing
of the new tokens was used, you get the same new refresh token. Any other use of an old one ends the grant. A refresh
token holds for 30 days unused; after 180 days the person is asked again. `scope` may narrow one access token. A grant is
renewed 60 times an hour at most.

## 7. Errors

| answer | do |
|---|---|
| 401 `invalid_token` | refresh once, then ask the person again |
| 403 `insufficient_scope` | ask the person again with `scope=svc:write` |
| 403 of another kind | the plan or the owner says no: do not work around it |
| 400 `invalid_grant` | the grant is over: ask the person again |
| 401 `invalid_client` | register again |
| 429, 503 | wait for `Retry-After` seconds; your tokens still hold |

## 8. Revoke

```
curl -X POST {auth}/oauth/token/revoke -d client_id=CLIENT_ID -d token=REFRESH_TOKEN
```

A refresh token ends the grant, an access token itself alone; the answer is 200 in any case. People end grants under
Settings, Connected apps. It takes effect with the next request.
"#
    )
}
