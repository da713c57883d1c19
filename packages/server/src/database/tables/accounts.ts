import { CHANGEABLE, OF_ACCOUNT, ONLY_HERE, PASSING, SHORT_LIVED, table, tablesOf } from './table.ts';

export const ACCOUNTS_TABLES = tablesOf('accounts', {
  /** People. They belong to tenants through memberships. */
  accounts: table({
    key: ['account_id'],
    columns: {
      account_id: 'text',
      /** As typed, for display. */
      email: 'text',
      /** Normalized: unique among all accounts. */
      email_key: 'text',
      /** When someone first proved that the address is theirs; null if it is unverified. */
      email_verified_at: 'time or null',
      name: 'text',
      /** Argon2id in PHC form; null without a password. */
      password_hash: 'text or null',
      created_at: 'time',
      password_changed_at: 'time or null',
      disabled_at: 'time or null',
    },
    verify: {
      notCompared: {
        [CHANGEABLE]: [
          'email',
          'email_key',
          'email_verified_at',
          'name',
          'password_hash',
          'password_changed_at',
          'disabled_at',
        ],
        [ONLY_HERE]: ['account_id', 'created_at'],
      },
      missingRows: ONLY_HERE,
    },
    creator: { stays: 'people create their own' },
  }),
  /** Signed-in browsers. A session that ends is deleted. */
  account_sessions: table({
    key: ['session_hash'],
    columns: {
      /** Lower-case hex SHA-256 of the cookie. */
      session_hash: 'text',
      /** Public id, for lists. */
      session_id: 'text',
      account_id: 'text',
      created_at: 'time',
      /** Written at most once a minute. */
      seen_at: 'time',
      /** When the person last proved who they are. */
      authenticated_at: 'time',
      /** JSON array: how they did. */
      methods: 'json',
      user_agent: 'text',
      address: 'text',
      /** The only tenant that the session reaches; null for one that the person began with proofs of their own. */
      tenant_id: 'text or null',
      /** The absolute end. */
      expires_at: 'time',
    },
    verify: {
      notCompared: SHORT_LIVED,
      missingRows: SHORT_LIVED,
    },
    creator: OF_ACCOUNT,
  }),
  /** Secrets of authenticator apps. */
  account_totp: table({
    key: ['account_id'],
    columns: {
      account_id: 'text',
      /** The key that sealed the secret. */
      key_id: 'text',
      sealed_secret: 'sealed',
      created_at: 'time',
      /** Null until the first code was entered. */
      confirmed_at: 'time or null',
      /** The time step of the last accepted code, which is not accepted again. */
      last_step: 'integer or null',
    },
    verify: {
      notCompared: {
        [CHANGEABLE]: ['account_id', 'key_id', 'sealed_secret', 'created_at', 'confirmed_at'],
        [PASSING]: ['last_step'],
      },
      missingRows: CHANGEABLE,
    },
    creator: OF_ACCOUNT,
  }),
  /** Codes in place of an authenticator app, each for one use. */
  account_recovery_codes: table({
    key: ['account_id', 'code_hash'],
    columns: {
      account_id: 'text',
      code_hash: 'text',
      used_at: 'time or null',
    },
    verify: {
      notCompared: CHANGEABLE,
      missingRows: CHANGEABLE,
    },
    creator: OF_ACCOUNT,
  }),
  /** Passkeys (WebAuthn credentials). */
  account_passkeys: table({
    key: ['credential_id'],
    columns: {
      /** Base64url. */
      credential_id: 'text',
      account_id: 'text',
      /** COSE key. */
      public_key: 'bytes',
      counter: 'integer',
      /** JSON array. */
      transports: 'json',
      name: 'text',
      created_at: 'time',
      used_at: 'time or null',
    },
    verify: {
      notCompared: {
        [CHANGEABLE]: ['credential_id', 'account_id', 'public_key', 'transports', 'name', 'created_at'],
        [PASSING]: ['counter', 'used_at'],
      },
      missingRows: CHANGEABLE,
    },
    creator: OF_ACCOUNT,
  }),
  /** What a person has begun and must complete soon: a sign-in, a passkey, a password reset. Deleted when used. */
  account_challenges: table({
    key: ['challenge_hash'],
    columns: {
      challenge_hash: 'text',
      kind: 'text',
      account_id: 'text or null',
      /** JSON. */
      payload: 'json',
      created_at: 'time',
      expires_at: 'time',
      /** The requester under whose limit the row counts; null if it counts under none. */
      asked_by: 'text or null',
    },
    verify: {
      notCompared: SHORT_LIVED,
      missingRows: SHORT_LIVED,
    },
    creator: OF_ACCOUNT,
  }),
  /** Failed attempts to sign in, by account and by address. */
  login_failures: table({
    key: ['key_hash'],
    columns: {
      key_hash: 'text',
      failures: 'integer',
      last_at: 'time',
      blocked_until: 'time',
    },
    verify: {
      notCompared: SHORT_LIVED,
      missingRows: SHORT_LIVED,
    },
  }),
});
