import { PASSING, SHORT_LIVED, table, tablesOf } from './table.ts';

export const TOKENS_TABLES = tablesOf('tokens', {
  /** Credentials, stored only as SHA-256: tokens, the credentials of devices, and enrolment secrets. */
  tokens: table({
    key: ['tenant_id', 'token_id'],
    columns: {
      /** Empty for operator credentials, which belong to no tenant. */
      tenant_id: 'text',
      token_id: 'text',
      /** Lower-case hex SHA-256 of the credential. */
      token_hash: 'text',
      name: 'text',
      /** JSON array of scopes. */
      scopes: 'json',
      environment: 'text',
      hint: 'text',
      created_at: 'time',
      created_by: 'text',
      expires_at: 'time or null',
      last_used_at: 'time or null',
      revoked_at: 'time or null',
      /** The device that a device credential is bound to. */
      device_id: 'text or null',
      /** How many devices an enrolment secret registers. Null for other credentials. */
      max_uses: 'integer or null',
      /** How many devices an enrolment secret has registered. */
      uses: 'integer or null',
      /** The OAuth client that an access token was issued to. Null for other credentials, like the columns below. */
      client_id: 'text or null',
      /** The grant that the token rests on, or the session for a token of the console; null for the client credentials grant. */
      grant_id: 'text or null',
      /** The person who granted it; null for the client credentials grant. */
      account_id: 'text or null',
      /** SHA-256 thumbprint of the key that requests must prove (DPoP); null for a bearer token. */
      key_thumbprint: 'text or null',
      /** When the person last proved who they are. Only for clients of the service itself. */
      authenticated_at: 'time or null',
    },
    verify: {
      compared: {
        'the audit log': [
          'tenant_id',
          'token_id',
          'token_hash',
          'name',
          'scopes',
          'environment',
          'hint',
          'created_at',
          'created_by',
          'expires_at',
          'revoked_at',
          'device_id',
          'max_uses',
        ],
      },
      notCompared: {
        [PASSING]: ['last_used_at', 'uses'],
        [SHORT_LIVED]: ['client_id', 'grant_id', 'account_id', 'key_thumbprint', 'authenticated_at'],
      },
    },
    creator: { holdings: ['token', 'enrolment'] },
  }),
});
