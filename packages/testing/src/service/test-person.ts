import { hash } from 'node:crypto';
import type { Role, Scope } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import { accountStore, createId, PasswordHasher, type TenantId } from '@tps/server/store';
import { PASSWORD_COST } from './password-cost.ts';
import type { TestService } from './test-service.ts';

/** A person who can sign in at the pages of a service. */
export interface TestPerson {
  readonly accountId: string;
  readonly email: string;
  readonly password: string;
  readonly name: string;
}

const hasher = new PasswordHasher({ cost: PASSWORD_COST });
let people = 0;

/**
 * Stores an account with a password, and a membership of a tenant unless `tenantId` is null. With `isEmailVerified: false`, it is
 * one that someone has created by an open invitation.
 */
export async function createPerson(
  { service, tenant }: Pick<TestService, 'service' | 'tenant'>,
  wanted: {
    tenantId?: TenantId | null;
    role?: Role;
    email?: string;
    isEmailVerified?: boolean;
    nowMs?: number;
  } = {},
): Promise<TestPerson> {
  const { tenantId = tenant.tenantId, role = 'viewer', isEmailVerified = true, nowMs = Date.now() } = wanted;
  people += 1;
  const person = {
    accountId: createId(ID_PREFIXES.account, nowMs),
    email: wanted.email ?? `person-${people}@example.com`,
    password: `the password of person ${people}`,
    name: `Person ${people}`,
  };
  const passwordHash = await hasher.hash(person.password, 'unknown');
  const { accountId, email, name } = person;
  await service.database.transaction(async (tx) => {
    const times = { createdAtMs: nowMs, passwordChangedAtMs: nowMs, disabledAtMs: null };
    const emailVerifiedAtMs = isEmailVerified ? nowMs : null;
    await accountStore.create(tx, { accountId, email, emailVerifiedAtMs, name, passwordHash, ...times });
    if (tenantId === null) return;
    const membership = { tenant_id: tenantId, account_id: accountId, role, created_by: 'test' };
    await tx.insertMany('memberships', [{ ...membership, created_at: nowMs }]);
  });
  return person;
}

/** Creates a credential with which a person acts in a tenant, as their own client would have after a sign-in. */
export async function createPersonCredential(
  { service, createCredential }: Pick<TestService, 'service' | 'createCredential'>,
  { accountId, tenantId, scopes }: { accountId: string; tenantId: TenantId; scopes: readonly Scope[] },
): Promise<string> {
  const nowMs = Date.now();
  const credential = await createCredential(tenantId, scopes, nowMs + 3_600_000);
  await service.database.transaction((tx) =>
    tx.db
      .updateTable('tokens')
      .set({ client_id: 'cli_of_a_person', account_id: accountId, authenticated_at: nowMs })
      .where('token_hash', '=', hash('sha256', credential))
      .execute(),
  );
  return credential;
}
