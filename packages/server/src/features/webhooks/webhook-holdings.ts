import { feedHeadStore } from '../feed/index.ts';
import type { HoldingRule } from '../holdings/index.ts';
import { giveUp } from './give-up.ts';
import { toShownUrl } from './webhook.ts';
import * as webhookStore from './webhook-store.ts';

/**
 * A webhook is disabled when its owner ends: the service must not send events to an address that the owner chose. An incident
 * shows it to the others, and one who enables it owns it from then on. One that is disabled already gets the reason, without an
 * incident: the address is still the choice of the owner. One whose secret is lost would become active with a new one.
 */
export const webhookHoldings: HoldingRule = {
  kind: 'webhook',
  atEnd: 'disabled',
  adoptionScope: 'webhooks:write',
  listActive: async (queries, tenantId, { ids }) => {
    const webhooks = await webhookStore.listByIds(queries, tenantId, ids);
    return webhooks
      .filter(({ disabledReason }) => disabledReason !== 'owner_left')
      .map(({ webhookId, url }) => ({ id: webhookId, name: toShownUrl(url) }));
  },
  endAll: async (tx, tenantId, { ids, why, nowMs }) => {
    await feedHeadStore.lock(tx, tenantId);
    for (const webhookId of ids) {
      await giveUp(tx, { tenantId, webhookId }, { reason: 'owner_left', why, nowMs });
    }
    return [];
  },
};
