import { SCOPES } from '@tps/contract';
import { openDatabase, systemClock, TenantService, TokenService } from '@tps/server/store';

export interface BenchTenant {
  readonly tenantId: string;
  readonly credential: string;
}

/** Creates tenants as the command line does, beside a running service. Each has a credential with all scopes. */
export async function createTenants(url: string, count: number): Promise<BenchTenant[]> {
  const database = await openDatabase(url, { exclusive: false });
  const parts = { database, clock: systemClock };
  const [tenants, tokens] = [new TenantService(parts), new TokenService(parts)];
  try {
    return await database.transaction(async (tx) => {
      const created: BenchTenant[] = [];
      for (let number = 1; number <= count; number += 1) {
        const { tenantId, environment } = await tenants.create(tx, {
          name: `bench ${number}`,
          environment: 'live',
        });
        const { credential } = await tokens.createFromCommandLine(tx, {
          tenantId,
          environment,
          name: 'bench',
          scopes: SCOPES,
          expiresAtMs: null,
        });
        created.push({ tenantId, credential: credential.reveal() });
      }
      return created;
    });
  } finally {
    await database.close();
  }
}
