"""Authlib: metadata by hand, then its own code, refresh and revocation requests."""

import os
import urllib.parse

import requests
from authlib.integrations.requests_client import OAuth2Session

from person import Person

URL = os.environ["SERVICE_URL"]
server = requests.get(f"{URL}/.well-known/oauth-authorization-server").json()
registered = requests.post(
    server["registration_endpoint"],
    json={"client_name": "Authlib", "redirect_uris": ["http://127.0.0.1:8899/cb"]},
).json()
assert registered["token_endpoint_auth_method"] == "client_secret_basic", registered


def session(scope):
    client = OAuth2Session(
        registered["client_id"],
        registered["client_secret"],
        scope=scope,
        redirect_uri="http://127.0.0.1:8899/cb",
        code_challenge_method="S256",
        token_endpoint=server["token_endpoint"],
        revocation_endpoint=server["revocation_endpoint"],
    )
    verifier = "authlib-" + "v" * 48
    address, state = client.create_authorization_url(server["authorization_endpoint"], code_verifier=verifier)
    back = Person().answer(address, changes="write" in scope)
    assert dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(back).query))["iss"] == server["issuer"]
    client.fetch_token(server["token_endpoint"], authorization_response=back, state=state, code_verifier=verifier)
    return client


reader = session("svc:read")
assert reader.get(f"{URL}/v1/me").status_code == 200
refused = reader.post(f"{URL}/v1/rss/collections", json={"name": "From Authlib"})
assert refused.status_code == 403 and "insufficient_scope" in refused.headers["WWW-Authenticate"], refused.text
print("  read; writing is refused")
writer = session("svc:read svc:write")
assert writer.post(f"{URL}/v1/rss/collections", json={"name": "From Authlib"}).status_code in (200, 201)
print(f"  stepped up: {writer.token['scope']}")
before = writer.token["access_token"]
writer.refresh_token(server["token_endpoint"], refresh_token=writer.token["refresh_token"])
assert writer.token["access_token"] != before and writer.get(f"{URL}/v1/me").status_code == 200
print("  refreshed")
answer = writer.revoke_token(server["revocation_endpoint"], token=writer.token["refresh_token"])
assert answer.status_code == 200
bearer = {"Authorization": f"Bearer {writer.token['access_token']}"}
assert requests.get(f"{URL}/v1/me", headers=bearer).status_code == 401
print("  revoked")
