import { SCOPES } from '@tps/contract';
import type { Database } from '../../../database/index.ts';
import type { AdmittedRequest } from '../../../platform/http/route.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import * as tokenStore from '../../tokens/token-store.ts';

/** Stores an operator token with this id, and returns a function that makes its requests for a tenant. */
export async function createOperator(
  database: Database,
  tokenId: string,
): Promise<(tenantId: TenantId) => AdmittedRequest> {
  const caller = { tokenId, tenantId: null, scopes: SCOPES, expiresAtMs: null };
  const token = {
    ...caller,
    name: 'test',
    environment: 'live',
    hint: '',
    createdAtMs: 0,
    createdBy: 'command_line',
    lastUsedAtMs: null,
    revokedAtMs: null,
    deviceId: null,
    maxUses: null,
    uses: null,
    issued: null,
  } as const;
  await database.transaction((tx) => tokenStore.create(tx, token, `hash of ${tokenId}`));
  return (tenantId) => ({ caller, tenantId, requestId: 'req_test' });
}
