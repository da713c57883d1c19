import { type Static, Type } from 'typebox';
import { idOf } from './schema/identifiers.ts';
import {
  Confidence,
  closed,
  Indicator,
  Severity,
  stringEnum,
  ThreatCategory,
  Timestamp,
} from './schema/values.ts';

export const THREAT_STATUSES = ['active', 'resolved', 'dismissed'] as const;
export const ThreatStatus = stringEnum(
  THREAT_STATUSES,
  '`resolved` after its incident was resolved as true or seven quiet days; `dismissed` when it was none.',
);
export type ThreatStatus = Static<typeof ThreatStatus>;

/**
 * Most events that join one threat; the next one begins another. A correction reads all events of its threat, so this
 * bounds what it costs.
 */
export const THREAT_EVENT_LIMIT = 1000;

/** What the warn and block events of one device and category add up to. */
export const Threat = closed(
  {
    threat_id: idOf('threat'),
    threat_category: ThreatCategory,
    confidence: Confidence,
    severity: Severity,
    device_id: idOf('device'),
    detected_at: Timestamp,
    description: Type.Optional(Type.String({ description: 'Description of the first event that had one.' })),
    indicators: Type.Array(Indicator, { maxItems: 100, description: 'Union over the events, at most 100.' }),
    status: ThreatStatus,
    last_seen_at: Timestamp,
    event_count: Type.Integer({
      minimum: 0,
      description: 'Events that count towards it, after corrections.',
    }),
  },
  { $id: 'Threat', description: 'What related events of one device add up to. Derived, read-only.' },
);
export type Threat = Static<typeof Threat>;
