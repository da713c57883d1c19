import { type Static, Type } from 'typebox';
import { idOf } from './schema/identifiers.ts';
import { closed, nullable, Severity, stringEnum, ThreatCategory, Timestamp } from './schema/values.ts';

export const ALERT_STATUSES = ['open', 'resolved'] as const;
export const AlertStatus = stringEnum(
  ALERT_STATUSES,
  '`resolved` with its incident, or by a correction to allow.',
);
export type AlertStatus = Static<typeof AlertStatus>;

/** Most events that join one alert. */
export const ALERT_EVENT_LIMIT = 1000;

export const Alert = closed(
  {
    alert_id: idOf('alert'),
    tenant_id: idOf('tenant'),
    device_id: idOf('device'),
    severity: Severity,
    title: Type.String({ description: 'For people to read.' }),
    event_ids: Type.Array(idOf('event'), {
      maxItems: ALERT_EVENT_LIMIT,
      description: 'Events it stands for, oldest first.',
    }),
    status: AlertStatus,
    created_at: Timestamp,
    updated_at: Timestamp,
    threat_id: idOf('threat'),
    incident_id: nullable(idOf('incident')),
    threat_category: ThreatCategory,
  },
  { $id: 'Alert', description: 'A decision that deserves attention. Derived, read-only.' },
);
export type Alert = Static<typeof Alert>;
