import { type Static, Type } from 'typebox';
import { idOf } from './identifiers.ts';
import { closed, nullable, stringEnum, Timestamp } from './values.ts';

const Count = Type.Integer({ minimum: 0 });
const Health = stringEnum(['up', 'down'], 'Whether this part of the service works.');

/** How well a tenant is protected, why, and what that rests on. */
export const ProtectionStatus = closed(
  {
    status: stringEnum(
      ['protected', 'at_risk', 'degraded', 'unprotected'],
      '`unprotected` without an active device; `degraded` when a part is down; `at_risk` with an active threat or unresolved incident of severity high or critical.',
    ),
    reasons: Type.Array(Type.String(), { description: 'Why it is not `protected`, a sentence each.' }),
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
        description: 'Disabled by failures, or whose last delivery failed.',
      }),
      dead_letters: Count,
      persistence: stringEnum(
        ['persistent', 'memory'],
        '`memory`: the service has no master key, so webhooks end with its process.',
      ),
    }),
    components: closed({
      store: Health,
      dispatcher: Health,
      workflow: Health,
      scan: Health,
    }),
    version: Type.String({ description: 'Version of the service.' }),
  },
  { $id: 'ProtectionStatus', description: 'How well a tenant is protected, and why.' },
);
export type ProtectionStatus = Static<typeof ProtectionStatus>;

export const Liveness = closed(
  { status: stringEnum(['ok'], 'The process answers.') },
  { $id: 'Liveness', description: 'The process is alive.' },
);

export const Readiness = closed(
  {
    status: stringEnum(['ready'], 'Requests can be served.'),
    components: closed({ store: Health, dispatcher: Health, workflow: Health }),
  },
  { $id: 'Readiness', description: 'Whether the service can do its work now.' },
);
