import type { Queries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { removeSessionsOfTenant } from '../accounts/index.ts';
import { holdingStore } from '../holdings/index.ts';
import * as identityStore from './sign-on-identity-store.ts';
import * as providerStore from './sign-on-provider-store.ts';

/** Ends single sign-on in a tenant. The caller has locked the provider. */
export async function removeProvider(tx: Queries, tenantId: TenantId, nowMs: number): Promise<void> {
  await providerStore.remove(tx, tenantId);
  await holdingStore.release(tx, tenantId, { kind: 'sign_on', id: tenantId });
  await forgetPeople(tx, tenantId, nowMs);
}

/** Ends the sessions that began at a provider, and forgets its people. */
export async function forgetPeople(tx: Queries, tenantId: TenantId, nowMs: number): Promise<void> {
  await removeSessionsOfTenant(tx, tenantId, nowMs);
  await identityStore.removeOfTenant(tx, tenantId);
}
