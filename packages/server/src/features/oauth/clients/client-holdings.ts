import { ServiceError } from '../../../platform/service-error.ts';
import type { HoldingRule } from '../../holdings/index.ts';
import { endAccessOfClient } from '../end-access.ts';
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
  secure: async (tx, tenantId, { id: clientId, isSoleKeeper, nowMs }) => {
    const client = await clientStore.findForUpdate(tx, tenantId, clientId);
    if (!client) return [];
    if (!client.secret && !client.jwks) throw cannotBeSecured(clientId);
    if (!isSoleKeeper) throw knowSecret(clientId);
    await clientStore.update(tx, {
      ...client,
      previous: null,
      updatedAtMs: nowMs,
      version: client.version + 1,
    });
    return endAccessOfClient(tx, tenantId, { clientId, nowMs });
  },
  endAll: async (tx, tenantId, { ids, why, nowMs }) => {
    let tokenIds: string[] = [];
    for (const clientId of ids) {
      const client = await clientStore.findForUpdate(tx, tenantId, clientId);
      if (client) tokenIds = tokenIds.concat(await endClient(tx, client, { why, nowMs }));
    }
    return tokenIds;
  },
};

function knowSecret(clientId: string): ServiceError {
  return new ServiceError(
    'invalid_state_transition',
    `items: other owners may know the secret or keys of oauth_client ${clientId}. First replace them: POST /oauth-clients/${clientId}/rotate-secret, or PATCH its jwks`,
  );
}

/** What opens a client without a secret are its redirect addresses, which its owners have chosen. */
function cannotBeSecured(clientId: string): ServiceError {
  return new ServiceError(
    'invalid_state_transition',
    `items: oauth_client ${clientId} has no secret, so its owners could still use it. Create another client`,
  );
}
