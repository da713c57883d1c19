import type { Queries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';

/** Stores one row in each table of members, OAuth clients and sign-on. */
export async function storeIdentities(tx: Queries, tenant_id: TenantId, nowMs: number): Promise<void> {
  const about = { tenant_id, account_id: 'acc_x', created_at: nowMs };
  const client = { tenant_id, client_id: 'cli_x' };
  await tx.insertMany('memberships', [{ ...about, role: 'admin', created_by: 'acc_x' }]);
  await tx.insertMany('invitations', [
    {
      tenant_id,
      invitation_id: 'inv_x',
      token_hash: `hash of ${tenant_id}`,
      email: null,
      role: 'viewer',
      created_at: nowMs,
      created_by: 'acc_x',
      expires_at: nowMs,
      accepted_at: null,
      accepted_by: null,
      revoked_at: null,
    },
  ]);
  await tx.insertMany('oauth_clients', [
    {
      ...client,
      name: 'x',
      uri: null,
      redirect_uris: '[]',
      grant_types: '["client_credentials"]',
      auth_method: 'client_secret_basic',
      scopes: '["status:read"]',
      jwks: null,
      secret_hash: 'x',
      secret_hint: 'x',
      previous_secret_hash: null,
      previous_secret_until: null,
      refresh_grace_s: 0,
      created_at: nowMs,
      created_by: 'acc_x',
      updated_at: nowMs,
      last_used_at: null,
      version: 1,
    },
  ]);
  await tx.insertMany('oauth_records', [
    {
      ...client,
      record_hash: `hash of ${tenant_id}`,
      model: 'AccessToken',
      payload: '{}',
      grant_id: `${tenant_id}~x`,
      uid: null,
      user_code_hash: null,
      account_id: 'acc_x',
      created_at: nowMs,
      expires_at: nowMs,
      consumed_at: null,
      asked_by: null,
    },
  ]);
  await tx.insertMany('oauth_consents', [
    {
      ...{ ...client, account_id: 'acc_x', scopes: '["status:read"]', granted_at: nowMs },
      ...{ client_version: 1, version_scopes: '["status:read"]' },
    },
  ]);
  await tx.insertMany('sign_on_providers', [
    {
      ...client,
      issuer: 'https://id.example.com',
      sealed_under: null,
      sealed_secret: null,
      allowed_domains: '["example.com"]',
      role_claim: null,
      role_map: '[]',
      default_role: null,
      create_members: 0,
      is_required: 0,
      trusts_email: 0,
      extra_scopes: '[]',
      created_at: nowMs,
      updated_at: nowMs,
      updated_by: 'acc_x',
    },
  ]);
  await tx.insertMany('account_sessions', [
    {
      ...about,
      session_hash: `session of ${tenant_id}`,
      session_id: 'ses_x',
      seen_at: nowMs,
      authenticated_at: nowMs,
      methods: '["sso"]',
      user_agent: '',
      address: '192.0.2.1',
      expires_at: nowMs,
    },
  ]);
  const holding = { tenant_id: about.tenant_id, kind: 'webhook', holding_id: 'whk_x', owned_since: nowMs };
  await tx.insertMany('holdings', [{ ...holding, owner_id: 'acc_x', via_client_id: null }]);
  await tx.insertMany('earlier_owners', [{ ...holding, owner_id: 'acc_y', via_client_id: '' }]);
  await tx.insertMany('saved_views', [
    {
      tenant_id: about.tenant_id,
      view_id: 'vew_1',
      owner_type: 'account',
      owner_id: about.account_id,
      ...{ name: 'v', page: 'events', query: '', shared: 1, created_at: nowMs, updated_at: nowMs },
    },
  ]);
  await storeNotices(tx, tenant_id, nowMs);
  await tx.insertMany('sign_on_identities', [
    { ...about, issuer: 'https://id.example.com', subject: 'x', used_at: nowMs },
  ]);
}

async function storeNotices(tx: Queries, tenant_id: TenantId, nowMs: number): Promise<void> {
  await tx.insertMany('notice_channels', [
    {
      ...{ tenant_id, channel_id: 'nch_1', name: 'n', kind: 'email', address: 'kim@example.com' },
      ...{ url_origin: null, sealed_under: null, sealed_target: null, topics: '["incidents"]' },
      ...{ min_severity: 'high', quiet_hours: null, max_per_hour: 10, status: 'active', version: 1 },
      ...{ created_at: nowMs, updated_at: nowMs },
    },
  ]);
  await tx.insertMany('notices', [
    {
      ...{ tenant_id, notice_id: 'ntc_1', channel_id: 'nch_1', cause: 'test', cause_key: 'test 1' },
      ...{
        severity: 'low',
        resource_id: null,
        message: 'm',
        happened_at: nowMs,
        state: 'sent',
        due_at: null,
      },
      ...{ attempts: 1, started_at: nowMs, last_error: null, digest_id: null },
      ...{ created_at: nowMs, sent_at: nowMs },
    },
  ]);
  await tx.insertMany('protection_states', [
    { tenant_id, status: 'protected', since: nowMs, fault_seen_at: null },
  ]);
}
