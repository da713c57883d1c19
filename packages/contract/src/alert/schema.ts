import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { closed, nullable, Severity, stringEnum, ThreatCategory, Timestamp } from '../schema/values.ts';
import { ALERT_EVENT_LIMIT, ALERT_STATUSES } from '../schema/vocabulary.ts';

export const AlertStatus = stringEnum(
  ALERT_STATUSES,
  'An alert becomes `resolved` with its incident, or when corrections to `allow` leave it without a supporting event.',
);
export type AlertStatus = Static<typeof AlertStatus>;

export const Alert = closed(
  {
    alert_id: idOf('alert'),
    tenant_id: idOf('tenant'),
    device_id: idOf('device'),
    severity: Severity,
    title: Type.String({ description: 'Title for people.' }),
    event_ids: Type.Array(idOf('event'), {
      maxItems: ALERT_EVENT_LIMIT,
      description: 'Events of the alert, oldest first.',
    }),
    status: AlertStatus,
    created_at: Timestamp,
    updated_at: Timestamp,
    threat_id: idOf('threat'),
    incident_id: nullable(idOf('incident')),
    threat_category: ThreatCategory,
  },
  { $id: 'Alert', description: 'A decision that needs attention. Derived from events; read-only.' },
);
export type Alert = Static<typeof Alert>;
