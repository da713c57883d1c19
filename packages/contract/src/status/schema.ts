import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { ComponentState, closed, nullable, stringEnum, Timestamp } from '../schema/values.ts';

const Count = Type.Integer({ minimum: 0 });

/** How well a tenant is protected, why, and the figures behind it. */
export const ProtectionStatus = closed(
  {
    status: stringEnum(
      ['protected', 'at_risk', 'degraded', 'unprotected'],
      '`unprotected`: no active device; `degraded`: a component is down, there are webhooks that are only in memory or whose secret is lost, or a receiver does not respond; `at_risk`: an active threat or an unresolved incident of severity high or critical; otherwise `protected`.',
    ),
    reasons: Type.Array(Type.String(), {
      description: 'Why the status is not `protected`, one sentence per reason.',
    }),
    tenant_id: idOf('tenant'),
    generated_at: Timestamp,
    devices: closed({
      total: Count,
      active: Count,
      revoked: Count,
      online: Count,
      stale: Count,
      offline: Count,
    }),
    threats: closed({ active: Count }),
    alerts: closed({ open: Count }),
    incidents: closed({ open: Count, in_progress: Count, on_hold: Count }),
    events: closed({ last_event_at: nullable(Timestamp), last_24h: Count }),
    webhooks: closed({
      registered: Count,
      failing: Type.Integer({
        minimum: 0,
        description: 'Webhooks that were disabled by failures or whose last delivery failed.',
      }),
      dead_letters: Count,
      persistence: stringEnum(
        ['persistent', 'memory'],
        '`memory`: the service has no master key, so webhooks are lost when its process ends.',
      ),
    }),
    components: closed({
      store: ComponentState,
      dispatcher: ComponentState,
      workflow: ComponentState,
      scan: ComponentState,
    }),
    version: Type.String({ description: 'Version of the service.' }),
  },
  { $id: 'ProtectionStatus', description: 'How well a tenant is protected, and why.' },
);
export type ProtectionStatus = Static<typeof ProtectionStatus>;
