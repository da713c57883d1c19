import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import {
  Confidence,
  closed,
  Indicator,
  Severity,
  stringEnum,
  ThreatCategory,
  Timestamp,
} from '../schema/values.ts';
import { THREAT_STATUSES } from '../schema/vocabulary.ts';

export const ThreatStatus = stringEnum(
  THREAT_STATUSES,
  '`resolved`: its incident was resolved as `true_positive`, or it had no event for 7 days; `dismissed`: it was not a threat.',
);
export type ThreatStatus = Static<typeof ThreatStatus>;

/** The warn and block events of one device and category that belong together. */
export const Threat = closed(
  {
    threat_id: idOf('threat'),
    threat_category: ThreatCategory,
    confidence: Confidence,
    severity: Severity,
    device_id: idOf('device'),
    detected_at: Timestamp,
    description: Type.Optional(Type.String({ description: 'Description of the first event that had one.' })),
    indicators: Type.Array(Indicator, {
      maxItems: 100,
      description: 'Union of the indicators of its events, at most 100.',
    }),
    status: ThreatStatus,
    last_seen_at: Timestamp,
    event_count: Type.Integer({
      minimum: 0,
      description: 'Number of events that support it, after corrections.',
    }),
  },
  { $id: 'Threat', description: 'Related events of one device, merged. Derived from events; read-only.' },
);
export type Threat = Static<typeof Threat>;
