import type { HoldingRule } from '../../holdings/index.ts';
import * as clientStore from './client-store.ts';
import { endClient } from './end-client.ts';

/** A client ends with its owner. Adopting it needs its scopes, as changing it does. */
export const clientHoldings: HoldingRule = {
  kind: 'oauth_client',
  atEnd: 'deleted',
  adoptionScope: 'tokens:write',
  listActive: async (queries, tenantId, { ids }) => {
    const clients = await clientStore.listByIds(queries, tenantId, ids);
    return clients.map(({ clientId, name, scopes }) => ({ id: clientId, name, scopes }));
  },
  endAll: async (tx, tenantId, { ids, why, nowMs }) => {
    const tokenIds: string[] = [];
    for (const clientId of ids) {
      const client = await clientStore.findForUpdate(tx, tenantId, clientId);
      if (client) tokenIds.push(...(await endClient(tx, client, { why, nowMs })));
    }
    return tokenIds;
  },
};
