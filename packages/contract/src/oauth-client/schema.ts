import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { ScopeList } from '../schema/scopes.ts';
import { closed, DisplayName, nullable, stringEnum, Timestamp, timestampOf } from '../schema/values.ts';
import {
  DEFAULT_ROTATION_OVERLAP_S,
  GRANT_TYPES,
  TOKEN_ENDPOINT_AUTH_METHODS,
} from '../schema/vocabulary.ts';

export const GrantType = stringEnum(GRANT_TYPES, 'A way to get an access token.');
export type GrantType = Static<typeof GrantType>;

export const TokenEndpointAuthMethod = stringEnum(
  TOKEN_ENDPOINT_AUTH_METHODS,
  'How the client proves its identity: a secret in the `Authorization: Basic` header or in the form, a signed assertion (RFC 7523), or not at all. `none` is for programs that cannot keep a secret, such as mobile and command line programs.',
);
export type TokenEndpointAuthMethod = Static<typeof TokenEndpointAuthMethod>;

/** Maximum number of redirect URIs of a client. */
export const MAX_REDIRECT_URIS = 20;
/** Maximum number of keys of a client. */
export const MAX_CLIENT_KEYS = 10;
/** Maximum time for which a used refresh token works again, in seconds. */
export const MAX_REFRESH_GRACE_S = 30;
/** Maximum time for which a replaced client secret stays valid, in seconds: 7 days. */
export const MAX_CLIENT_SECRET_OVERLAP_S = 604_800;

const RedirectUri = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'Where the browser returns to, compared exactly: an https URL, `http://127.0.0.1` or `http://[::1]` with any port (RFC 8252), or, for a client without a secret, a private-use scheme such as `com.example.app:/callback`.',
});
const RedirectUris = Type.Array(RedirectUri, {
  maxItems: MAX_REDIRECT_URIS,
  uniqueItems: true,
  description: 'Required by, and only for, the grant `authorization_code`.',
});

const GrantTypes = Type.Array(GrantType, {
  minItems: 1,
  maxItems: GRANT_TYPES.length,
  uniqueItems: true,
  description:
    'The grants that the client may use. `refresh_token` accompanies `authorization_code` or the device grant.',
});

const ClientUri = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'https URL of the home page of the client, shown on the consent page.',
});

const base64Url = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$', description }));

/** Lists the public members only: a key with a private member is rejected like any unknown member. */
const PublicJwk = closed(
  {
    kty: stringEnum(['EC', 'OKP', 'RSA'], 'Type of the key.'),
    kid: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'ID of the key.' })),
    use: Type.Optional(stringEnum(['sig'], 'The key verifies signatures.')),
    alg: Type.Optional(
      stringEnum(
        ['ES256', 'Ed25519', 'EdDSA', 'PS256', 'RS256'],
        'The algorithm of the key, as the header of assertions names it.',
      ),
    ),
    crv: Type.Optional(stringEnum(['P-256', 'Ed25519'], 'Curve of an EC or OKP key.')),
    x: base64Url(128, 'Coordinate of an EC or OKP key.'),
    y: base64Url(128, 'Coordinate of an EC key.'),
    n: base64Url(1024, 'Modulus of an RSA key of 2048 to 4096 bits.'),
    e: base64Url(16, 'Exponent of an RSA key.'),
  },
  { description: 'A public key (RFC 7517).' },
);

export const ClientKeys = closed(
  { keys: Type.Array(PublicJwk, { minItems: 1, maxItems: MAX_CLIENT_KEYS }) },
  { $id: 'ClientKeys', description: 'Public keys of a client with `private_key_jwt`.' },
);
export type ClientKeys = Static<typeof ClientKeys>;

const RefreshGrace = Type.Integer({
  minimum: 0,
  maximum: MAX_REFRESH_GRACE_S,
  description:
    'Seconds within which a used refresh token works again, for a client that lost the response. With 0, a second use ends the grant.',
});

const clientMetadata = {
  client_id: idOf('oauth_client'),
  tenant_id: idOf('tenant'),
  name: DisplayName,
  uri: nullable(ClientUri),
  redirect_uris: RedirectUris,
  grant_types: GrantTypes,
  token_endpoint_auth_method: TokenEndpointAuthMethod,
  scopes: ScopeList,
  jwks: nullable(ClientKeys),
  refresh_grace_s: RefreshGrace,
  secret_hint: nullable(
    Type.String({
      description: 'Prefix and last four characters of the secret, to recognize it. Null: none.',
    }),
  ),
  previous_secret_until: nullable(
    timestampOf('Until when the secret before the last rotation is accepted. Null: it is not.'),
  ),
  created_at: Timestamp,
  created_by: Type.String({ description: 'ID of the token or account that created it.' }),
  updated_at: Timestamp,
  last_used_at: nullable(timestampOf('When the client last got a token. Null: not yet.')),
};

/** A program that gets access tokens with OAuth2. Its secret is not stored, only its SHA-256. */
export const OAuthClient = closed(clientMetadata, {
  $id: 'OAuthClient',
  description: 'A program that gets access tokens with OAuth2. Never contains the secret.',
});
export type OAuthClient = Static<typeof OAuthClient>;

/** Response of POST /oauth-clients and of a rotation: the only time that the secret is shown. */
export const CreatedOAuthClient = closed(
  {
    ...clientMetadata,
    client_secret: Type.Optional(
      Type.String({
        description:
          'The secret, shown only once. Absent when the client has none, and when the request repeats an `Idempotency-Key`.',
      }),
    ),
  },
  { $id: 'CreatedOAuthClient', description: 'A client and, once only, its secret.' },
);
export type CreatedOAuthClient = Static<typeof CreatedOAuthClient>;

export const NewOAuthClient = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    name: DisplayName,
    uri: Type.Optional(ClientUri),
    redirect_uris: Type.Optional(RedirectUris),
    grant_types: GrantTypes,
    token_endpoint_auth_method: Type.Optional({
      ...TokenEndpointAuthMethod,
      default: 'client_secret_post',
    }),
    scopes: ScopeList,
    jwks: Type.Optional(ClientKeys),
    refresh_grace_s: Type.Optional({ ...RefreshGrace, default: 0 }),
  },
  {
    $id: 'NewOAuthClient',
    description: 'A client to create. It can have only scopes that the caller has.',
  },
);
export type NewOAuthClient = Static<typeof NewOAuthClient>;

export const OAuthClientChange = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    name: Type.Optional(DisplayName),
    uri: Type.Optional(nullable(ClientUri)),
    redirect_uris: Type.Optional(RedirectUris),
    grant_types: Type.Optional(GrantTypes),
    scopes: Type.Optional(ScopeList),
    jwks: Type.Optional(ClientKeys),
    refresh_grace_s: Type.Optional(RefreshGrace),
  },
  {
    $id: 'OAuthClientChange',
    description: 'Members to change. `token_endpoint_auth_method` cannot be changed: create another client.',
  },
);
export type OAuthClientChange = Static<typeof OAuthClientChange>;

export const ClientSecretRotation = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    overlap_s: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_CLIENT_SECRET_OVERLAP_S,
        default: DEFAULT_ROTATION_OVERLAP_S,
        description: 'Seconds for which the old secret stays valid.',
      }),
    ),
  },
  { $id: 'ClientSecretRotation', description: 'How to replace the secret of a client.' },
);
export type ClientSecretRotation = Static<typeof ClientSecretRotation>;
