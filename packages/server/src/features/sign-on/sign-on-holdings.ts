import { ROLE_SCOPES } from '@tps/contract';
import { ServiceError } from '../../platform/service-error.ts';
import { auditStore, SERVICE } from '../audit/index.ts';
import { feedHeadStore } from '../feed/index.ts';
import type { HoldingRule } from '../holdings/index.ts';
import { upsertMonitoringIncident } from '../incidents/index.ts';
import { removeProvider } from './remove-provider.ts';
import { auditOf } from './sign-on-audit.ts';
import * as providerStore from './sign-on-provider-store.ts';

/** The provider decides who belongs to the tenant, so it ends with the one who chose it. Its id is that of the tenant. */
export const signOnHoldings: HoldingRule = {
  kind: 'sign_on',
  atEnd: 'deleted',
  adoptionScope: 'members:write',
  listActive: async (queries, tenantId) => {
    const provider = await providerStore.find(queries, tenantId);
    return provider ? [{ id: tenantId, name: provider.issuer, scopes: ROLE_SCOPES.admin }] : [];
  },
  secure: async (_tx, _tenantId, { isSoleKeeper }) => {
    if (isSoleKeeper) return [];
    const message =
      'items: other owners have chosen settings of single sign-on. First check and save them: PUT /sign-on';
    throw new ServiceError('invalid_state_transition', message);
  },
  endAll: async (tx, tenantId, { why, nowMs }) => {
    const provider = await providerStore.findForUpdate(tx, tenantId);
    if (!provider) return [];
    await removeProvider(tx, tenantId, nowMs);
    const entry = auditOf(tenantId, 'sign_on.delete', { provider, before: provider });
    const detail = `Single sign-on at ${provider.issuer} ended: ${why}`;
    await auditStore.append(
      tx,
      { ...entry, detail, actor: SERVICE, outcome: 'success', requestId: null },
      nowMs,
    );
    return [];
  },
  reportReleased: async (tx, tenantId, nowMs) => {
    const provider = await providerStore.find(tx, tenantId);
    if (!provider) return;
    await feedHeadStore.lock(tx, tenantId);
    const message = `Single sign-on at ${provider.issuer} has no owner any more. It still decides who belongs to the tenant: check the issuer, then save the settings again or remove them.`;
    await upsertMonitoringIncident(tx, tenantId, { correlationKey: 'sign_on', message, nowMs });
  },
};
