import type { Queries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { type ActingRequest, actorOf, auditStore } from '../audit/index.ts';

/** Records what was done to a device, or refused, in the transaction that does it. */
export async function auditDevice(
  tx: Queries,
  request: ActingRequest,
  entry: {
    tenantId: TenantId;
    deviceId: string;
    action: string;
    outcome?: 'denied';
    detail: string;
    fields: Record<string, unknown>;
    nowMs: number;
  },
): Promise<void> {
  const { tenantId, deviceId, action, outcome = 'success', detail, fields, nowMs } = entry;
  const resource = { type: 'device', id: deviceId };
  await auditStore.append(
    tx,
    {
      tenantId,
      actor: actorOf(request),
      requestId: request.requestId,
      action,
      resource,
      outcome,
      detail,
      fields,
    },
    nowMs,
  );
}
