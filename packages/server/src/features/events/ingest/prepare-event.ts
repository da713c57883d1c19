import type { Event } from '@tps/contract';
import { countOf, METADATA_LIMIT_BYTES } from '@tps/contract/vocabulary';
import { redactEvent, redactEventInSteps } from '@tps/detection';
import { toCanonicalJson } from '../../../platform/canonical-json.ts';
import type { Steps } from '../../../platform/concurrency/fair-turns.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import { parseTimestamp, toTimestamp } from '../../../platform/time.ts';
import { eventHashOf } from '../../feed/index.ts';
import type { PreparedEvent } from './submission.ts';

const DAY_MS = 86_400_000;
const MAX_AHEAD_MS = 5 * 60_000;

interface PrepareSettings {
  readonly nowMs: number;
  readonly retentionDays: number;
}

/**
 * Prepares an event that matches its schema and has a verified signature.
 * @throws ServiceError `event_too_old`, `event_in_future`, `invalid_field`
 */
export function prepareEvent(received: Event, settings: PrepareSettings): PreparedEvent {
  const timestampMs = checkEvent(received, settings);
  return toPrepared(received, { redacted: redactEvent(received), timestampMs });
}

/** The same in steps: the texts of an event can take milliseconds to redact. */
export function* prepareEventInSteps(received: Event, settings: PrepareSettings): Steps<PreparedEvent> {
  const timestampMs = checkEvent(received, settings);
  return toPrepared(received, { redacted: yield* redactEventInSteps(received), timestampMs });
}

function toPrepared(
  received: Event,
  { redacted, timestampMs }: { redacted: Event; timestampMs: number },
): PreparedEvent {
  const timestamp = toTimestamp(timestampMs);
  const isAsSent = redacted === received && timestamp === received.timestamp;
  const event = isAsSent ? received : { ...redacted, timestamp };
  const body = toCanonicalJson(event);
  const receivedHash = isAsSent ? undefined : eventHashOf(toCanonicalJson(received)).toString('hex');
  return { eventId: event.event_id, body, receivedHash, timestampMs };
}

function checkEvent(received: Event, settings: PrepareSettings): number {
  const timestampMs = checkTime(received.timestamp, settings);
  checkMetadata(received);
  return timestampMs;
}

function checkTime(timestamp: string, { nowMs, retentionDays }: PrepareSettings): number {
  const atMs = parseTimestamp(timestamp);
  if (atMs === undefined)
    throw new ServiceError('invalid_field', 'timestamp must be an RFC 3339 time with an offset');
  if (atMs > nowMs + MAX_AHEAD_MS) {
    throw new ServiceError('event_in_future', 'timestamp is more than 5 minutes in the future');
  }
  if (atMs < nowMs - retentionDays * DAY_MS) {
    throw new ServiceError(
      'event_too_old',
      `timestamp is older than the ${countOf(retentionDays, 'day')} for which events are kept`,
    );
  }
  return atMs;
}

function checkMetadata({ tenant_id: tenantId, metadata }: Event): void {
  const { tenant_id: copy = tenantId } = metadata ?? {};
  if (copy !== tenantId)
    throw new ServiceError('invalid_field', 'metadata.tenant_id must equal tenant_id, or be absent');
  if (metadata !== undefined && Buffer.byteLength(JSON.stringify(metadata)) > METADATA_LIMIT_BYTES) {
    throw new ServiceError('invalid_field', `metadata must not exceed ${METADATA_LIMIT_BYTES} bytes of JSON`);
  }
}
