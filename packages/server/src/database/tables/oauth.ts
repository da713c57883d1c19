import { CHANGEABLE, ONLY_HERE, PASSING, SHORT_LIVED, table, tablesOf } from './table.ts';

export const OAUTH_TABLES = tablesOf('oauth', {
  /** OAuth clients of tenants. A deleted client has no row. */
  oauth_clients: table({
    key: ['tenant_id', 'client_id'],
    columns: {
      tenant_id: 'text',
      client_id: 'text',
      name: 'text',
      uri: 'text or null',
      /** JSON array. */
      redirect_uris: 'json',
      /** JSON array. */
      grant_types: 'json',
      /** How it authenticates at the token endpoint. */
      auth_method: 'text',
      /** JSON array: the most that its tokens can have. */
      scopes: 'json',
      /** JSON: its public keys, for `private_key_jwt`. */
      jwks: 'json or null',
      /** Lower-case hex SHA-256. */
      secret_hash: 'text or null',
      secret_hint: 'text or null',
      previous_secret_hash: 'text or null',
      previous_secret_until: 'time or null',
      refresh_grace_s: 'integer',
      created_at: 'time',
      created_by: 'text',
      updated_at: 'time',
      last_used_at: 'time or null',
      version: 'integer',
    },
    verify: {
      notCompared: {
        [CHANGEABLE]: [
          'tenant_id',
          'client_id',
          'name',
          'uri',
          'redirect_uris',
          'grant_types',
          'auth_method',
          'scopes',
          'jwks',
          'secret_hash',
          'secret_hint',
          'previous_secret_hash',
          'previous_secret_until',
          'refresh_grace_s',
          'updated_at',
          'version',
        ],
        [ONLY_HERE]: ['created_at', 'created_by'],
        [PASSING]: ['last_used_at'],
      },
      missingRows: CHANGEABLE,
    },
    creator: { holdings: ['oauth_client'] },
  }),
  /** What the authorization server has issued: codes, tokens, grants, sessions, device codes. */
  oauth_records: table({
    key: ['tenant_id', 'record_hash'],
    columns: {
      /** Empty for records that belong to no tenant (yet). */
      tenant_id: 'text',
      /** Lower-case hex SHA-256 of the model and the id, which is a credential. */
      record_hash: 'text',
      model: 'text',
      /** JSON, without the id. */
      payload: 'json',
      grant_id: 'text or null',
      uid: 'text or null',
      user_code_hash: 'text or null',
      client_id: 'text or null',
      account_id: 'text or null',
      created_at: 'time',
      expires_at: 'time',
      consumed_at: 'time or null',
      /** The requester under whose limit the row counts; null if it counts under none. */
      asked_by: 'text or null',
    },
    verify: {
      notCompared: SHORT_LIVED,
      missingRows: SHORT_LIVED,
    },
    creator: { access: 'ends with the membership, the client or the consent' },
  }),
  /** The scopes that a person has allowed a client. */
  oauth_consents: table({
    key: ['tenant_id', 'account_id', 'client_id'],
    columns: {
      tenant_id: 'text',
      account_id: 'text',
      client_id: 'text',
      /** JSON array. */
      scopes: 'json',
      granted_at: 'time',
      /** The version of the client that the person saw last. Null if an older version of the service stored the consent. */
      client_version: 'integer or null',
      /** JSON array: those of the scopes that the person has allowed that version. */
      version_scopes: 'json or null',
    },
    verify: {
      notCompared: CHANGEABLE,
      missingRows: CHANGEABLE,
    },
    creator: { access: 'ends with the membership, the client, or by the person' },
  }),
  /** Keys of the authorization server, sealed. */
  oauth_keys: table({
    key: ['key_id'],
    columns: {
      key_id: 'text',
      purpose: 'text',
      /** The key that sealed it. */
      sealed_under: 'text',
      sealed_key: 'sealed',
      created_at: 'time',
      active_from: 'time',
      retired_at: 'time or null',
    },
    verify: {
      notCompared: ONLY_HERE,
      missingRows: ONLY_HERE,
    },
  }),
});
