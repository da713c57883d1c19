import { SCOPES } from '@tps/contract';
import { openDatabase, systemClock, TenantService, TokenService } from '../service-internals.ts';

export interface BenchTenant {
  readonly tenantId: string;
  readonly credential: string;
}

/** Makes tenants as the command line does, each with a credential that may do everything, beside a running service. */
export async function makeTenants(url: string, count: number): Promise<BenchTenant[]> {
  const database = await openDatabase(url, { exclusive: false });
  const parts = { database, clock: systemClock };
  const [tenants, tokens] = [new TenantService(parts), new TokenService(parts)];
  try {
    return await database.transaction(async (tx) => {
      const made: BenchTenant[] = [];
      for (let number = 1; number <= count; number += 1) {
        const { tenantId, environment } = await tenants.create(tx, {
          name: `bench ${number}`,
          environment: 'live',
        });
        const { credential } = await tokens.createFromCommandLine(tx, {
          ...{ tenantId, environment, name: 'bench' },
          scopes: SCOPES,
          expiresAtMs: null,
        });
        made.push({ tenantId, credential: credential.reveal() });
      }
      return made;
    });
  } finally {
    await database.close();
  }
}
