import { CHANGEABLE, ONLY_HERE, PASSING, SHORT_LIVED } from './coverage-reasons.ts';

/** The part of the coverage for the tables of people, and of what they and OAuth clients are given. */
export const IDENTITY_COVERAGE = {
  accounts: {
    compared: {},
    notCompared: {
      [CHANGEABLE]: [
        ...['email', 'email_key', 'email_verified_at', 'name'],
        ...['password_hash', 'password_changed_at', 'disabled_at'],
      ],
      [ONLY_HERE]: ['account_id', 'created_at'],
    },
  },
  account_sessions: {
    compared: {},
    notCompared: {
      [SHORT_LIVED]: [
        'session_hash',
        'session_id',
        'account_id',
        'created_at',
        'seen_at',
        'authenticated_at',
        'methods',
        'user_agent',
        'address',
        'tenant_id',
        'expires_at',
      ],
    },
  },
  account_totp: {
    compared: {},
    notCompared: {
      [CHANGEABLE]: ['account_id', 'key_id', 'sealed_secret', 'created_at', 'confirmed_at'],
      [PASSING]: ['last_step'],
    },
  },
  account_recovery_codes: {
    compared: {},
    notCompared: { [CHANGEABLE]: ['account_id', 'code_hash', 'used_at'] },
  },
  account_passkeys: {
    compared: {},
    notCompared: {
      [CHANGEABLE]: ['credential_id', 'account_id', 'public_key', 'transports', 'name', 'created_at'],
      [PASSING]: ['counter', 'used_at'],
    },
  },
  account_challenges: {
    compared: {},
    notCompared: {
      [SHORT_LIVED]: [
        'challenge_hash',
        'kind',
        'account_id',
        'payload',
        'created_at',
        'expires_at',
        'asked_by',
      ],
    },
  },
  login_failures: {
    compared: {},
    notCompared: { [SHORT_LIVED]: ['key_hash', 'failures', 'last_at', 'blocked_until'] },
  },
  memberships: {
    compared: {},
    notCompared: {
      [CHANGEABLE]: ['tenant_id', 'account_id', 'role'],
      [ONLY_HERE]: ['created_at', 'created_by'],
    },
  },
  holdings: {
    compared: {},
    notCompared: {
      [CHANGEABLE]: ['tenant_id', 'kind', 'holding_id', 'owner_id', 'via_client_id', 'owned_since'],
    },
  },
  earlier_owners: {
    compared: {},
    notCompared: {
      [CHANGEABLE]: ['tenant_id', 'kind', 'holding_id', 'owner_id', 'via_client_id', 'owned_since'],
    },
  },
  invitations: {
    compared: {},
    notCompared: {
      [SHORT_LIVED]: [
        'tenant_id',
        'invitation_id',
        'token_hash',
        'proof_hash',
        'email',
        'role',
        'created_at',
        'created_by',
        'expires_at',
        'accepted_at',
        'accepted_by',
        'revoked_at',
      ],
    },
  },
  oauth_clients: {
    compared: {},
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
  },
  oauth_records: {
    compared: {},
    notCompared: {
      [SHORT_LIVED]: [
        'tenant_id',
        'record_hash',
        'model',
        'payload',
        'grant_id',
        'uid',
        'user_code_hash',
        'client_id',
        'account_id',
        'created_at',
        'expires_at',
        'consumed_at',
        'asked_by',
      ],
    },
  },
  oauth_consents: {
    compared: {},
    notCompared: {
      [CHANGEABLE]: [
        ...['tenant_id', 'account_id', 'client_id', 'scopes', 'granted_at'],
        ...['client_version', 'version_scopes'],
      ],
    },
  },
  oauth_keys: {
    compared: {},
    notCompared: {
      [ONLY_HERE]: [
        'key_id',
        'purpose',
        'sealed_under',
        'sealed_key',
        'created_at',
        'active_from',
        'retired_at',
      ],
    },
  },
  sign_on_providers: {
    compared: {},
    notCompared: {
      [CHANGEABLE]: [
        'tenant_id',
        'issuer',
        'client_id',
        'sealed_under',
        'sealed_secret',
        'allowed_domains',
        'trusts_email',
        'extra_scopes',
        'role_claim',
        'role_map',
        'default_role',
        'create_members',
        'is_required',
        'created_at',
        'updated_at',
        'updated_by',
      ],
    },
  },
  sign_on_identities: {
    compared: {},
    notCompared: {
      [ONLY_HERE]: ['tenant_id', 'issuer', 'subject', 'account_id', 'created_at'],
      [PASSING]: ['used_at'],
    },
  },
} as const;
