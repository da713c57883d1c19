import { SCOPES, type Scope } from '@tps/contract';
import type { ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import * as clientReadModel from '../clients/client-read-model.ts';
import { COMMAND_LINE_CLIENT } from '../command-line-client.ts';

/** A client, as the consent page shows it to the person. */
export interface ConsentClient {
  readonly clientId: string;
  readonly name: string;
  /** Null for the command line of the service itself, which may act in any tenant of the person. */
  readonly tenantId: TenantId | null;
  /** The address of its home page. */
  readonly uri: string | null;
  /** The most that it can get. */
  readonly scopes: readonly Scope[];
  readonly updatedAtMs: number;
  /** Rises with each change. */
  readonly version: number;
}

export async function findConsentClient(
  queries: ReadQueries,
  clientId: string,
): Promise<ConsentClient | undefined> {
  if (clientId === COMMAND_LINE_CLIENT) {
    return {
      clientId,
      name: 'tps, the command line of this service',
      tenantId: null,
      uri: null,
      scopes: SCOPES,
      updatedAtMs: 0,
      version: 0,
    };
  }
  return clientReadModel.findById(queries, clientId);
}
