import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import {
  Action,
  Confidence,
  closed,
  nullable,
  Severity,
  ThreatCategory,
  Timestamp,
  timestampOf,
} from '../schema/values.ts';
import { NewPolicy, PolicyChange } from './schema.ts';

/** Maximum number of events that one simulation reads. */
export const SIMULATED_EVENT_LIMIT = 20_000;
/** Maximum number of changed events that a simulation lists. */
export const CHANGED_EVENT_LIMIT = 100;

/** The members of a body that name the tenant for operators belong to the simulation, not to its parts. */
const { tenant_id: _tenantOfPolicy, ...policyMembers } = NewPolicy.properties;
const { tenant_id: _tenantOfChange, ...changeMembers } = PolicyChange.properties;

export const NewPolicySimulation = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    policy: Type.Optional(
      closed(policyMembers, {
        description: 'A policy as in POST /policies. Give either this, or `policy_id` and `change`.',
      }),
    ),
    policy_id: Type.Optional(idOf('policy', 'An existing policy. Needs `change`.')),
    change: Type.Optional(
      closed(changeMembers, {
        minProperties: 1,
        description:
          'A change as in PATCH /policies/{id}. `enabled` of false also shows what archiving the policy would do.',
      }),
    ),
    received_since: Type.Optional(
      timestampOf('Only events that arrived at this time or later. Default: all stored events.'),
    ),
    received_until: Type.Optional(timestampOf('Only events that arrived before this time. Default: now.')),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: SIMULATED_EVENT_LIMIT,
        default: SIMULATED_EVENT_LIMIT,
        description: 'Maximum number of events to read, beginning with the newest of the range.',
      }),
    ),
  },
  { $id: 'NewPolicySimulation', description: 'A policy to simulate, and the past events to simulate it on.' },
);
export type NewPolicySimulation = Static<typeof NewPolicySimulation>;

function count(description: string) {
  return Type.Integer({ minimum: 0, description });
}

const ActionCounts = closed(
  { allow: count('Allowed.'), warn: count('Warned.'), block: count('Blocked.') },
  { $id: 'ActionCounts', description: 'Number of events by action.' },
);

export const ChangedEvent = closed(
  {
    event_id: idOf('event'),
    device_id: idOf('device'),
    timestamp: Timestamp,
    threat_category: ThreatCategory,
    confidence: Confidence,
    severity: Severity,
    action_taken: Action,
    before: Action,
    after: Action,
    policy_id: idOf('policy', 'The policy that would decide. `pol_simulated` is a new policy without an ID.'),
  },
  { $id: 'ChangedEvent', description: 'An event on which the simulated policy changes the action.' },
);
export type ChangedEvent = Static<typeof ChangedEvent>;

export const PolicySimulation = closed(
  {
    read: count('Number of events read, of any category.'),
    complete: Type.Boolean({
      description: 'False if the range has more events than `limit`: the oldest were not read.',
    }),
    oldest_received_at: nullable(Timestamp),
    matched: count('Number of decisions on categories that the policy names, before or after the change.'),
    left_out: count(
      'Number of corrections and status events in these categories. No policy decides on them.',
    ),
    taken: ActionCounts,
    before: ActionCounts,
    after: ActionCounts,
    stricter: count('Number of events with a stricter action than before.'),
    milder: count('Number of events with a milder action than before.'),
    devices: count('Number of devices with an event whose action changes.'),
    events: Type.Optional(
      Type.Array(ChangedEvent, {
        maxItems: CHANGED_EVENT_LIMIT,
        description: `The newest ${CHANGED_EVENT_LIMIT} events whose action changes, newest first. Absent without the scope \`events:read\`.`,
      }),
    ),
  },
  {
    $id: 'PolicySimulation',
    description:
      'What a policy would have changed. `taken` is what devices did, `before` what the present policies decide, and `after` what they decide with the simulated one.',
  },
);
export type PolicySimulation = Static<typeof PolicySimulation>;
