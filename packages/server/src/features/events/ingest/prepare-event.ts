import type { Event } from '@tps/contract';
import { METADATA_LIMIT_BYTES } from '@tps/contract/vocabulary';
import { redactEvent } from '@tps/detection';
import { toCanonicalJson } from '../../../platform/canonical-json.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import { parseTimestamp, toTimestamp } from '../../../platform/time.ts';
import { eventHashOf } from '../../feed/index.ts';
import type { PreparedEvent } from './submission.ts';

const DAY_MS = 86_400_000;
const MAX_AHEAD_MS = 5 * 60_000;

/**
 * Prepares an event that matches its schema and has a verified signature.
 * @throws ServiceError `event_too_old`, `event_in_future`, `invalid_field`
 */
export function prepareEvent(
  received: Event,
  { nowMs, retentionDays }: { nowMs: number; retentionDays: number },
): PreparedEvent {
  const timestampMs = checkTime(received.timestamp, { nowMs, retentionDays });
  checkMetadata(received);
  const redacted = redactEvent(received);
  const timestamp = toTimestamp(timestampMs);
  const isAsSent = redacted === received && timestamp === received.timestamp;
  const event = isAsSent ? received : { ...redacted, timestamp };
  const body = toCanonicalJson(event);
  const receivedHash = isAsSent ? undefined : eventHashOf(toCanonicalJson(received)).toString('hex');
  return { eventId: event.event_id, body, receivedHash, timestampMs };
}

function checkTime(
  timestamp: string,
  { nowMs, retentionDays }: { nowMs: number; retentionDays: number },
): number {
  const atMs = parseTimestamp(timestamp);
  if (atMs === undefined)
    throw new ServiceError('invalid_field', 'timestamp must be an RFC 3339 time with an offset');
  if (atMs > nowMs + MAX_AHEAD_MS) {
    throw new ServiceError('event_in_future', 'timestamp is more than 5 minutes in the future');
  }
  if (atMs < nowMs - retentionDays * DAY_MS) {
    throw new ServiceError(
      'event_too_old',
      `timestamp is older than the ${retentionDays} days that events are kept`,
    );
  }
  return atMs;
}

function checkMetadata({ metadata }: Event): void {
  if (metadata !== undefined && Buffer.byteLength(JSON.stringify(metadata)) > METADATA_LIMIT_BYTES) {
    throw new ServiceError('invalid_field', `metadata must not exceed ${METADATA_LIMIT_BYTES} bytes of JSON`);
  }
}
