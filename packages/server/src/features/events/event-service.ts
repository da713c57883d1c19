import { hash } from 'node:crypto';
import { ERROR_STATUS, Event, type EventBatchResult } from '@tps/contract';
import type { Clock } from '../../platform/clock.ts';
import { compileBodyValidator, type Validator } from '../../platform/http/validation.ts';
import { ServiceError } from '../../platform/service-error.ts';
import {
  type DeviceKeys,
  type SignedRequest,
  type VerifiedRequest,
  verifyDeviceRequest,
} from '../devices/index.ts';
import type { EventWriter } from './ingest/event-writer.ts';
import { type PreparedEvent, prepareEvent } from './ingest/prepare-event.ts';
import type { EventOutcome, Submission } from './ingest/submission.ts';

/** Accepts signed events. */
export class IngestService {
  readonly #keys: DeviceKeys;
  readonly #writer: EventWriter;
  readonly #clock: Clock;
  readonly #retentionDays: number;
  readonly #validateEvent: Validator<typeof Event>;

  constructor(parts: { keys: DeviceKeys; writer: EventWriter; clock: Clock; retentionDays: number }) {
    this.#keys = parts.keys;
    this.#writer = parts.writer;
    this.#clock = parts.clock;
    this.#retentionDays = parts.retentionDays;
    this.#validateEvent = compileBodyValidator(Event);
  }

  /**
   * Stores one event. `readBody` validates the body; it is called once the signature is verified.
   * @throws ServiceError with any code of POST /events
   */
  async submitOne(
    request: SignedRequest,
    readBody: () => Event,
  ): Promise<EventOutcome & { kind: 'stored' | 'duplicate' }> {
    const prepare = (deviceId: string) => this.#prepare(readBody(), { request, deviceId });
    const [outcome] = await this.#submit(request, (deviceId) => [attempt(() => prepare(deviceId))]);
    if (outcome === undefined) throw new Error('an event has no outcome');
    if (outcome.kind === 'refused') throw outcome.error;
    return outcome;
  }

  /**
   * Stores up to 500 events; each is accepted or rejected separately.
   * @throws ServiceError for errors that concern the whole request
   */
  async submitMany(
    request: SignedRequest,
    readBody: () => { events: unknown[] },
  ): Promise<EventBatchResult[]> {
    let items: unknown[] = [];
    const outcomes = await this.#submit(request, (deviceId) => {
      items = readBody().events;
      return items.map((item) =>
        attempt(() => this.#prepare(this.#validateEvent(item), { request, deviceId })),
      );
    });
    return outcomes.map((outcome, index) => toResult(items[index], outcome));
  }

  /** Verifies, prepares and writes. Events that could not be prepared keep their error, in their place. */
  async #submit(
    request: SignedRequest,
    prepareAll: (deviceId: string) => (PreparedEvent | ServiceError)[],
  ): Promise<EventOutcome[]> {
    let verified = await this.#verify(request);
    const prepared = attempt(() => prepareAll(verified.device.deviceId));
    const items = prepared instanceof ServiceError ? [] : prepared;
    const events = items.filter((item): item is PreparedEvent => !(item instanceof ServiceError));
    let outcome = await this.#writer.write(toSubmission(request, verified, events));
    if (outcome.kind === 'stale_device') {
      this.#keys.forget(request.tenantId, verified.device.deviceId);
      verified = await this.#verify(request);
      outcome = await this.#writer.write(toSubmission(request, verified, events));
    }
    if (outcome.kind === 'refused') throw outcome.error;
    if (outcome.kind === 'stale_device') {
      throw new ServiceError('unavailable', 'The device is being changed; try again', {
        retryAfterSeconds: 1,
      });
    }
    // The nonce is used up now, so that repeating the same invalid request is a replay.
    if (prepared instanceof ServiceError) throw prepared;
    const written = outcome.events.values();
    return items.map((item) => {
      if (item instanceof ServiceError) return { kind: 'refused', error: item };
      const next = written.next().value;
      if (!next) throw new Error('an event has no outcome');
      return next;
    });
  }

  #verify(request: SignedRequest): Promise<VerifiedRequest> {
    return verifyDeviceRequest(request, { tag: 'tps-event', keys: this.#keys, nowMs: this.#clock.now() });
  }

  #prepare(event: Event, { request, deviceId }: { request: SignedRequest; deviceId: string }): PreparedEvent {
    if (event.tenant_id !== request.tenantId) {
      throw new ServiceError('tenant_mismatch', 'tenant_id is not the tenant of this credential');
    }
    if (event.device_id !== deviceId) {
      throw new ServiceError('invalid_signature', 'device_id is not the device that signed the request');
    }
    return prepareEvent(event, { nowMs: this.#clock.now(), retentionDays: this.#retentionDays });
  }
}

function toSubmission(
  { tenantId, rawBody }: SignedRequest,
  { device, signature }: VerifiedRequest,
  events: readonly PreparedEvent[],
): Submission {
  return {
    tenantId,
    deviceId: device.deviceId,
    deviceVersion: device.version,
    nonce: signature.nonce,
    created: signature.created,
    signedDigest: hash('sha256', rawBody, 'buffer'),
    events,
  };
}

/** Returns an expected error as a value; others are rethrown. */
function attempt<Value>(work: () => Value): Value | ServiceError {
  try {
    return work();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

function toResult(item: unknown, outcome: EventOutcome): EventBatchResult {
  const { event_id: given } = Object(item) as { event_id?: unknown };
  const eventId = typeof given === 'string' ? given.slice(0, 100) : null;
  if (outcome.kind !== 'refused') return { event_id: eventId, status: outcome.kind === 'stored' ? 201 : 200 };
  const { code, message } = outcome.error;
  const status = ERROR_STATUS[code];
  return { event_id: eventId, status, error: { code, message, status } };
}
