import type { TenantId } from '../../../platform/tenant-id.ts';
import type { AuditRecord } from '../../audit/index.ts';
import { type NoticeChannelRecord, toNoticeChannel } from './notice-channel.ts';

type Entry = Pick<AuditRecord, 'tenantId' | 'action' | 'resource' | 'detail' | 'fields'>;

const DETAILS = {
  'notice_channel.create': 'created',
  'notice_channel.update': 'changed',
  'notice_channel.delete': 'deleted',
  'notice_channel.test': 'tested',
} as const;

/** Creates the audit entry of an action on a channel, given in its new state. Never contains a URL or a secret. */
export function auditOf(
  tenantId: TenantId,
  channel: NoticeChannelRecord,
  action: keyof typeof DETAILS,
): Entry {
  const { channelId, name, kind } = channel;
  const { address, url_origin, topics, min_severity, quiet_hours, max_per_hour, status, version } =
    toNoticeChannel(channel, tenantId);
  return {
    tenantId,
    action,
    resource: { type: 'notice_channel', id: channelId },
    detail: `Notice channel "${name}" ${DETAILS[action]}`,
    fields: {
      ...{ name, kind, address, url_origin, topics, min_severity },
      ...{ quiet_hours, max_per_hour, status, version },
    },
  };
}
