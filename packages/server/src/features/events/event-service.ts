import { ERROR_STATUS, Event, type EventBatchResult, jsonBoundsOf } from '@tps/contract';
import type { Clock } from '../../platform/clock.ts';
import type { FairTurns, Steps } from '../../platform/concurrency/fair-turns.ts';
import { parseJsonBody } from '../../platform/http/json-body.ts';
import { compileBodyValidator, type Validator } from '../../platform/http/validation.ts';
import { type Refusal, ServiceError } from '../../platform/service-error.ts';
import {
  type DeviceKeys,
  type SignedRequest,
  type VerifiedRequest,
  verifyDeviceRequest,
} from '../devices/index.ts';
import type { EventCounter } from './event-metrics.ts';
import type { EventWriter } from './ingest/event-writer.ts';
import { prepareEventInSteps } from './ingest/prepare-event.ts';
import type { EventOutcome, PreparedEvent, Submission } from './ingest/submission.ts';

/** An event that is stored, by this request or by an earlier one. */
export interface SubmittedEvent {
  readonly kind: 'stored' | 'duplicate';
  readonly eventId: string;
  /** The event as it is stored. */
  readonly body: string;
}

/** The most that an event can be, with every character escaped. It bounds the work on one event. */
const EVENT_BOUNDS = jsonBoundsOf(Event);

/** One event of a batch. */
interface ReadEvent {
  readonly eventId: unknown;
  readonly prepared: PreparedEvent | ServiceError;
}

/** The request with which an event arrived. */
interface Sender {
  readonly request: SignedRequest;
  readonly verified: VerifiedRequest;
}

/** A genuine request, whose body is parsed when it is read. */
type EventRequest<Body> = SignedRequest & { body(): Body };

/** Accepts signed events. */
export class EventService {
  readonly #keys: DeviceKeys;
  readonly #writer: EventWriter;
  readonly #turns: FairTurns;
  readonly #clock: Clock;
  readonly #counter: EventCounter;
  readonly #retentionDays: number;
  readonly #validateEvent: Validator<typeof Event>;

  constructor(parts: {
    keys: DeviceKeys;
    writer: EventWriter;
    turns: FairTurns;
    clock: Clock;
    /** Counts the events of requests that are answered. Those that are refused as a whole are counted where they are. */
    counter: EventCounter;
    retentionDays: number;
  }) {
    this.#keys = parts.keys;
    this.#writer = parts.writer;
    this.#turns = parts.turns;
    this.#clock = parts.clock;
    this.#counter = parts.counter;
    this.#retentionDays = parts.retentionDays;
    this.#validateEvent = compileBodyValidator(Event);
  }

  /**
   * Stores one event. The body is read once the signature is verified.
   * @throws ServiceError with any code of POST /events
   */
  async submitOne(request: EventRequest<Event>): Promise<SubmittedEvent> {
    const verified = await this.#verify(request);
    const prepared = await this.#turns.runSteps(
      request.tenantId,
      attempt(() => this.#prepare(request.body(), { request, verified })),
    );
    const [outcome] = await this.#store(request, verified, [prepared]);
    if (prepared instanceof ServiceError) throw prepared;
    if (outcome === undefined) throw new Error('an event has no outcome');
    if (outcome.kind === 'refused') throw toError(outcome.error);
    this.#counter.accepted(outcome.kind);
    return { kind: outcome.kind, eventId: prepared.eventId, body: prepared.body };
  }

  /**
   * Stores up to 500 events; each is accepted or rejected separately. The body is read once the signature is verified.
   * @throws ServiceError for errors that concern the whole request
   */
  async submitMany(
    request: EventRequest<{ events: unknown[] }> & { rawItems(): readonly Buffer[] },
  ): Promise<EventBatchResult[]> {
    const verified = await this.#verify(request);
    const read = await this.#readEvents(request, verified).catch(expected);
    const events = read instanceof ServiceError ? [] : read;
    const outcomes = await this.#store(
      request,
      verified,
      events.map(({ prepared }) => prepared),
    );
    if (read instanceof ServiceError) throw read;
    for (const outcome of outcomes) {
      if (outcome.kind === 'refused') this.#counter.refused(outcome.error.code);
      else this.#counter.accepted(outcome.kind);
    }
    return outcomes.map((outcome, index) => toResult(read[index]?.eventId, outcome));
  }

  /** Parses and prepares the events of a batch one by one, taking turns with other requests. */
  async #readEvents(
    request: EventRequest<unknown> & { rawItems(): readonly Buffer[] },
    verified: VerifiedRequest,
  ): Promise<ReadEvent[]> {
    const { tenantId } = request;
    const rawItems = await this.#turns.run(tenantId, () => {
      request.body();
      return request.rawItems();
    });
    return this.#turns.runSteps(tenantId, this.#readEach(rawItems, { request, verified }));
  }

  *#readEach(rawItems: readonly Buffer[], from: Sender): Steps<ReadEvent[]> {
    const events: ReadEvent[] = [];
    for (const [index, raw] of rawItems.entries()) {
      if (index > 0) yield;
      const item = parseItem(raw, `events[${index}]`);
      if (item instanceof ServiceError) {
        events.push({ eventId: undefined, prepared: item });
        continue;
      }
      const prepared = yield* attempt(() => this.#prepare(this.#validateEvent(item), from));
      events.push({ eventId: (Object(item) as { event_id?: unknown }).event_id, prepared });
    }
    return events;
  }

  /**
   * Writes what could be prepared; the errors of the other events keep their places among the outcomes. Uses up the nonce
   * also when nothing could be prepared, so that repeating the same invalid request is a replay.
   */
  async #store(
    request: EventRequest<unknown>,
    verified: VerifiedRequest,
    prepared: readonly (PreparedEvent | ServiceError)[],
  ): Promise<EventOutcome[]> {
    const events = prepared.filter((item): item is PreparedEvent => !(item instanceof ServiceError));
    let outcome = await this.#writer.write(toSubmission(request, verified, events));
    if (outcome.kind === 'stale_device') {
      this.#keys.forget(request.tenantId, verified.device.deviceId);
      outcome = await this.#writer.write(toSubmission(request, await this.#verify(request), events));
    }
    if (outcome.kind === 'refused') throw toError(outcome.error);
    if (outcome.kind === 'stale_device') {
      throw new ServiceError('unavailable', 'The device is being changed; try again', {
        retryAfterSeconds: 1,
      });
    }
    const written = outcome.events.values();
    return prepared.map((item) => {
      if (item instanceof ServiceError) return { kind: 'refused', error: item };
      const next = written.next().value;
      if (!next) throw new Error('an event has no outcome');
      return next;
    });
  }

  #verify(request: SignedRequest): Promise<VerifiedRequest> {
    const options = { keys: this.#keys, turns: this.#turns, nowMs: this.#clock.now() };
    return verifyDeviceRequest(request, { tag: 'tps-event', ...options });
  }

  #prepare(event: Event, { request, verified }: Sender): Steps<PreparedEvent> {
    if (event.tenant_id !== request.tenantId) {
      throw new ServiceError('tenant_mismatch', 'tenant_id is not the tenant of this credential');
    }
    if (event.device_id !== verified.device.deviceId) {
      throw new ServiceError('invalid_signature', 'device_id is not the device that signed the request');
    }
    return prepareEventInSteps(event, { nowMs: this.#clock.now(), retentionDays: this.#retentionDays });
  }
}

function toSubmission(
  request: EventRequest<unknown>,
  { device, signature, bodyDigest }: VerifiedRequest,
  events: readonly PreparedEvent[],
): Submission {
  const { tenantId, caller, requestId, trace } = request;
  return {
    request: { tenantId, caller, requestId },
    ...(trace && { trace }),
    deviceId: device.deviceId,
    deviceVersion: device.version,
    nonce: signature.nonce,
    created: signature.created,
    signedDigest: bodyDigest.toString('hex'),
    events,
  };
}

/** Returns an expected error as a value; others are rethrown. */
function* attempt<Value>(begin: () => Steps<Value>): Steps<Value | ServiceError> {
  try {
    return yield* begin();
  } catch (error) {
    return expected(error);
  }
}

function toError({ code, message }: Refusal): ServiceError {
  return new ServiceError(code, message);
}

/** Rethrows what is not an expected error. */
function expected(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}

/**
 * Parses one event of a batch. An event that is too large is rejected alone.
 * @throws ServiceError `invalid_json` and `invalid_field`, which concern the whole body
 */
function parseItem(raw: Buffer, at: string): unknown {
  if (raw.length > EVENT_BOUNDS.bytes) {
    return new ServiceError(
      'payload_too_large',
      `${at} is larger than ${EVENT_BOUNDS.bytes} bytes, the limit of an event`,
    );
  }
  try {
    return parseJsonBody(raw, { maxStructure: EVENT_BOUNDS.structure, maxText: EVENT_BOUNDS.text, at });
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'payload_too_large') return error;
    throw error;
  }
}

function toResult(given: unknown, outcome: EventOutcome): EventBatchResult {
  const eventId = typeof given === 'string' ? given.slice(0, 100) : null;
  if (outcome.kind !== 'refused') return { event_id: eventId, status: outcome.kind === 'stored' ? 201 : 200 };
  const { code, message } = outcome.error;
  const status = ERROR_STATUS[code];
  return { event_id: eventId, status, error: { code, message, status } };
}
