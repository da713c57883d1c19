import { type Static, Type } from 'typebox';
import { DeviceChainState } from '../event/context-schema.ts';
import { idOf } from '../schema/identifiers.ts';
import { closed, nullable, Timestamp, timestampOf } from '../schema/values.ts';
import { DeviceKey } from './key-schema.ts';
import { DeviceStatus } from './schema.ts';

/** Maximum number of incidents that the health of a device lists. */
export const MAX_HEALTH_INCIDENTS = 20;
/** Maximum number of the tenant's newest events among which those of the device are counted. */
export const MAX_HEALTH_POSITIONS = 20_000;

/** How a device is doing. */
export const DeviceHealth = closed(
  {
    device_id: idOf('device'),
    tenant_id: idOf('tenant'),
    status: DeviceStatus,
    last_seen: nullable(timestampOf('The last request of the device. Null if there was none.')),
    silent: Type.Boolean({
      description: 'Whether an active device has sent nothing for `silent_after_hours`.',
    }),
    silent_after_hours: Type.Integer({
      minimum: 0,
      description: 'After how many hours a device counts as silent. 0: never.',
    }),
    failing_signatures: Type.Boolean({
      description:
        'Whether an unresolved incident reports that requests in the name of the device had invalid signatures.',
    }),
    key: nullable(DeviceKey),
    chain: closed(
      {
        sequence: nullable(
          Type.Integer({ minimum: 1, description: 'Number of the last event in the chain of the device.' }),
        ),
        last_event_hash: nullable(
          Type.String({
            pattern: '^[0-9a-f]{64}$',
            maxLength: 64,
            description: 'SHA-256 of the last event as the device sent it (RFC 8785). Lower-case hex.',
          }),
        ),
      },
      { description: "The end of the device's own chain." },
    ),
    recent: closed(
      {
        complete: Type.Boolean({
          description: 'Whether all stored events were examined, not only the newest.',
        }),
        events: Type.Integer({ minimum: 0, description: 'Events of the device among those examined.' }),
        chain_states: Type.Array(
          closed({
            state: DeviceChainState,
            count: Type.Integer({ minimum: 1, description: 'Events with this state.' }),
            last_event_id: idOf('event', 'The newest of them.'),
            last_received_at: Timestamp,
          }),
          { maxItems: 10, description: 'The events of the device by how they fit its chain.' },
        ),
      },
      {
        description: `The events of the device among the newest ${MAX_HEALTH_POSITIONS.toLocaleString('en')} of the tenant.`,
      },
    ),
    incidents: Type.Array(idOf('incident'), {
      maxItems: MAX_HEALTH_INCIDENTS,
      description: 'Unresolved incidents about the device itself, newest first.',
    }),
  },
  { $id: 'DeviceHealth', description: 'How a device is doing.' },
);
export type DeviceHealth = Static<typeof DeviceHealth>;
