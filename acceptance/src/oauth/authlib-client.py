"""Completes the grants with Authlib. Reads its settings and the answer of the browser as lines of JSON."""

import json
import sys

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session

settings = json.loads(sys.stdin.readline())
issuer = settings["issuer"]
token_endpoint = issuer + "/token"


def session(**more):
    return OAuth2Session(
        settings["client_id"],
        settings["client_secret"],
        token_endpoint_auth_method=settings["method"],
        **more,
    )


def say(**values):
    print(json.dumps(values), flush=True)


own = session(scope="status:read")
credentials = own.fetch_token(token_endpoint, grant_type="client_credentials")

person = session(
    scope="openid status:read",
    redirect_uri=settings["redirect_uri"],
    code_challenge_method="S256",
)
verifier = generate_token(48)
url, state = person.create_authorization_url(
    issuer + "/authorize", code_verifier=verifier, nonce=generate_token()
)
say(url=url)
callback = json.loads(sys.stdin.readline())["callback"]
tokens = person.fetch_token(
    token_endpoint, authorization_response=callback, state=state, code_verifier=verifier
)
refreshed = person.refresh_token(token_endpoint, refresh_token=tokens["refresh_token"])
introspection = person.introspect_token(
    issuer + "/introspect", token=refreshed["access_token"]
).json()
status = person.get(settings["api"] + "/status").status_code
revoked = person.revoke_token(
    issuer + "/revoke", token=refreshed["access_token"], token_type_hint="access_token"
).status_code
say(
    credentials=credentials["token_type"],
    tokens=sorted(tokens),
    introspection=introspection["active"],
    status=status,
    revoked=revoked,
    access_token=refreshed["access_token"],
)
