import { auditStore, SERVICE } from '../../audit/index.ts';
import type { HoldingRule } from '../../holdings/index.ts';
import * as noticeStore from '../notice-store.ts';
import { auditOf } from './channel-audit.ts';
import * as channelStore from './channel-store.ts';
import { changeChannel } from './notice-channel.ts';

/**
 * A notice channel is paused when its owner ends: the service must not send notices to an address that the owner chose. One who
 * resumes it owns it from then on. One that is paused already only gets an audit entry.
 */
export const channelHoldings: HoldingRule = {
  kind: 'notice_channel',
  atEnd: 'disabled',
  adoptionScope: 'notices:write',
  listActive: async (queries, tenantId, { ids }) => {
    const channels = await channelStore.listByIds(queries, tenantId, ids);
    return channels.map(({ channelId, name }) => ({ id: channelId, name }));
  },
  endAll: async (tx, tenantId, { ids, why, nowMs }) => {
    for (const channelId of ids) {
      const before = await channelStore.findForUpdate(tx, tenantId, channelId);
      if (!before) continue;
      const after = changeChannel(before, { status: 'paused' }, { target: undefined, nowMs });
      await channelStore.save(tx, tenantId, after);
      await noticeStore.removeUnsent(tx, tenantId, { channelId, nowMs });
      const entry = auditOf(tenantId, after, 'notice_channel.update');
      const change = after === before ? 'stays paused' : 'paused';
      const detail = `Notice channel "${after.name}" ${change}: ${why}`;
      await auditStore.append(
        tx,
        { ...entry, detail, actor: SERVICE, outcome: 'success', requestId: null },
        nowMs,
      );
    }
    return [];
  },
};
