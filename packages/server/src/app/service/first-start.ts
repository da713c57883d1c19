import { SCOPES } from '@tps/contract';
import { type Database, settingsStore } from '../../database/index.ts';
import { type TenantService, tenantStore } from '../../features/tenants/index.ts';
import type { TokenService } from '../../features/tokens/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

const SETTING = 'first_start_done';

/** What the first start created. The credentials are shown once and cannot be shown again. */
export interface FirstStart {
  readonly tenantId: TenantId;
  readonly operatorCredential: string;
  readonly adminCredential: string;
}

/**
 * On an empty store, creates a tenant and the first two credentials. In one transaction, so that of two nodes that
 * start together only one does it. Returns undefined if it was done before, or if tenants were created on the
 * command line.
 */
export function prepareFirstStart(parts: {
  database: Database;
  tenants: TenantService;
  tokens: TokenService;
}): Promise<FirstStart | undefined> {
  const { database, tenants, tokens } = parts;
  return database.transaction(async (tx) => {
    if (!(await settingsStore.create(tx, SETTING, 'yes'))) return undefined;
    if ((await tenantStore.list(tx)).length > 0) return undefined;
    const { tenantId, environment } = await tenants.create(tx, { name: 'live', environment: 'live' });
    const shared = { environment, scopes: SCOPES, expiresAtMs: null };
    const operator = await tokens.createFromCommandLine(tx, {
      ...shared,
      tenantId: null,
      name: 'first operator',
    });
    const admin = await tokens.createFromCommandLine(tx, { ...shared, tenantId, name: 'first tenant admin' });
    return {
      tenantId,
      operatorCredential: operator.credential.reveal(),
      adminCredential: admin.credential.reveal(),
    };
  });
}

/** Formats what the operator needs right after the first start. */
export function describeFirstStart(first: FirstStart, baseUrl: string): string {
  return `
This is the first start. Save these credentials now: they are not shown again.

  tenant               ${first.tenantId}

  operator credential  ${first.operatorCredential}
                       for all tenants; each request names one with tenant_id
    curl -H 'Authorization: Bearer ${first.operatorCredential}' '${baseUrl}/status?tenant_id=${first.tenantId}'

  tenant admin         ${first.adminCredential}
    curl -H 'Authorization: Bearer ${first.adminCredential}' ${baseUrl}/status

API documentation: ${baseUrl}/docs
`;
}
