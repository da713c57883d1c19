import { CHANGEABLE, ONLY_HERE, PASSING, table, tablesOf } from './table.ts';

export const SIGN_ON_TABLES = tablesOf('sign-on', {
  /** The OpenID provider of a tenant. */
  sign_on_providers: table({
    key: ['tenant_id'],
    columns: {
      tenant_id: 'text',
      issuer: 'text',
      client_id: 'text',
      sealed_under: 'text or null',
      sealed_secret: 'sealed or null',
      /** JSON array. */
      allowed_domains: 'json',
      role_claim: 'text or null',
      /** JSON array of values of the claim with their roles. */
      role_map: 'json',
      default_role: 'text or null',
      create_members: 'flag',
      is_required: 'flag',
      trusts_email: 'flag',
      /** JSON array. */
      extra_scopes: 'json',
      created_at: 'time',
      updated_at: 'time',
      updated_by: 'text',
    },
    verify: {
      notCompared: CHANGEABLE,
      missingRows: CHANGEABLE,
    },
    creator: { holdings: ['sign_on'] },
  }),
  /** Which account a person of an OpenID provider uses. */
  sign_on_identities: table({
    key: ['tenant_id', 'issuer', 'subject'],
    columns: {
      tenant_id: 'text',
      issuer: 'text',
      subject: 'text',
      account_id: 'text',
      created_at: 'time',
      used_at: 'time',
    },
    verify: {
      notCompared: {
        [ONLY_HERE]: ['tenant_id', 'issuer', 'subject', 'account_id', 'created_at'],
        [PASSING]: ['used_at'],
      },
      missingRows: ONLY_HERE,
    },
    creator: { access: 'ends with the account and the provider, and opens nothing without a membership' },
  }),
});
