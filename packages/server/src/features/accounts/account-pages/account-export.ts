import type { AuditEntry } from '@tps/contract';
import type { Database } from '../../../database/index.ts';
import { NO_TENANT, type TenantId } from '../../../platform/tenant-id.ts';
import { toOptionalTimestamp, toTimestamp } from '../../../platform/time.ts';
import { auditStore } from '../../audit/index.ts';
import type { Account, AccountId } from '../account.ts';
import * as passkeyStore from '../passkeys/passkey-store.ts';
import type { SecondFactors } from '../second-factors/second-factors.ts';
import type { AccountSessions } from '../sessions/account-sessions.ts';
import type { AccountTies } from './account-ties.ts';

/** The newest entries of each tenant: a few years of sign-ins. */
const MAX_ENTRIES_PER_TENANT = 1000;

interface Parts {
  readonly database: Database;
  readonly sessions: AccountSessions;
  readonly factors: SecondFactors;
  readonly ties: AccountTies;
}

/** Returns everything that the service keeps about a person, except secrets and their hashes. */
export async function exportAccount(
  { database, sessions, factors, ties }: Parts,
  account: Account,
  nowMs: number,
): Promise<Readonly<Record<string, unknown>>> {
  const { read } = database;
  const { accountId } = account;
  const tenants = await ties.listTenants(read, accountId);
  const factor = await factors.describe(read, accountId);
  const passkeys = await passkeyStore.list(read, accountId);
  const tenantIds = [...tenants.map(({ tenantId }) => tenantId), NO_TENANT as TenantId];
  return {
    exported_at: toTimestamp(nowMs),
    account: {
      account_id: accountId,
      email: account.email,
      email_verified_at: toOptionalTimestamp(account.emailVerifiedAtMs),
      name: account.name,
      created_at: toTimestamp(account.createdAtMs),
      has_password: account.passwordHash !== null,
      password_changed_at: toOptionalTimestamp(account.passwordChangedAtMs),
    },
    tenants: tenants.map(({ tenantId, tenantName, role }) => ({
      tenant_id: tenantId,
      name: tenantName,
      role,
    })),
    sessions: (await sessions.list(accountId)).map((session) => ({
      session_id: session.sessionId,
      created_at: toTimestamp(session.createdAtMs),
      seen_at: toTimestamp(session.seenAtMs),
      authenticated_at: toTimestamp(session.authenticatedAtMs),
      expires_at: toTimestamp(session.expiresAtMs),
      methods: session.methods,
      user_agent: session.userAgent,
      address: session.address,
    })),
    authenticator_app: {
      confirmed_at: toOptionalTimestamp(factor.confirmedAtMs),
      unused_recovery_codes: factor.unusedRecoveryCodes,
    },
    passkeys: passkeys.map((passkey) => ({
      credential_id: passkey.credentialId,
      name: passkey.name,
      created_at: toTimestamp(passkey.createdAtMs),
      used_at: toOptionalTimestamp(passkey.usedAtMs),
    })),
    ...(await ties.export(read, accountId)),
    audit_entries: await listEntries(database, accountId, tenantIds),
  };
}

async function listEntries(
  { read }: Database,
  accountId: AccountId,
  tenantIds: readonly TenantId[],
): Promise<AuditEntry[]> {
  const about = { actionPrefix: '', resourceId: accountId };
  const page = { after: undefined, limit: MAX_ENTRIES_PER_TENANT };
  const entries: AuditEntry[] = [];
  for (const tenantId of tenantIds) entries.push(...(await auditStore.list(read, tenantId, about, page)));
  return entries;
}
