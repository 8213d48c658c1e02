"""requests-oauthlib: a public client with PKCE."""

import os

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"] = "1"

import requests
from requests_oauthlib import OAuth2Session

from person import Person

URL = os.environ["SERVICE_URL"]
server = requests.get(f"{URL}/.well-known/oauth-authorization-server").json()
registration = {
    "client_name": "requests-oauthlib",
    "redirect_uris": ["http://localhost/callback"],
    "token_endpoint_auth_method": "none",
}
client_id = requests.post(server["registration_endpoint"], json=registration).json()["client_id"]


def session(scope):
    client = OAuth2Session(client_id, scope=scope, redirect_uri="http://localhost:5123/callback", pkce="S256")
    address, _ = client.authorization_url(server["authorization_endpoint"], resource=URL)
    back = Person().answer(address, changes="svc:write" in scope)
    client.fetch_token(server["token_endpoint"], authorization_response=back, include_client_id=True)
    return client


reader = session(["svc:read"])
assert reader.get(f"{URL}/v1/me").status_code == 200
assert reader.post(f"{URL}/v1/rss/collections", json={"name": "From requests"}).status_code == 403
writer = session(["svc:read", "svc:write"])
assert writer.post(f"{URL}/v1/rss/collections", json={"name": "From requests"}).status_code in (200, 201)
print(f"  stepped up: {writer.token['scope']}")
before = writer.token["access_token"]
writer.refresh_token(server["token_endpoint"], client_id=client_id)
assert writer.token["access_token"] != before and writer.get(f"{URL}/v1/me").status_code == 200
print("  refreshed")
form = {"token": writer.token["refresh_token"], "client_id": client_id, "token_type_hint": "access_token"}
assert requests.post(server["revocation_endpoint"], data=form).status_code == 200
bearer = {"Authorization": f"Bearer {writer.token['access_token']}"}
assert requests.get(f"{URL}/v1/me", headers=bearer).status_code == 401
print("  revoked")
