import type { streamEvents } from '@tps/contract';
import type { FairTurns } from '../../../platform/concurrency/fair-turns.ts';
import { TenantSlots } from '../../../platform/concurrency/tenant-slots.ts';
import type { CursorCodec } from '../../../platform/http/cursors.ts';
import type { Exchange } from '../../../platform/http/route.ts';
import type { Logger } from '../../../platform/logger.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { RequestDatabase } from '../../authority/index.ts';
import { feedHeadStore } from '../../feed/index.ts';
import { EventStream } from './event-stream.ts';
import { readFeedPart, toStreamStart } from './feed-part.ts';
import { FeedTail } from './feed-tail.ts';
import { type StreamPlace, StreamPlaces } from './stream-places.ts';

/** How often and after what time the streams are checked. */
export interface StreamTimes {
  /** Between two comments, so that proxies do not end a silent connection. */
  readonly heartbeatMs: number;
  /** Between two confirmations of the credentials. */
  readonly confirmMs: number;
  /** A reader that takes nothing for this long is disconnected. */
  readonly stallMs: number;
  /** Between two checks of all of this. */
  readonly tickMs: number;
}
const TIMES: StreamTimes = { heartbeatMs: 15_000, confirmMs: 2_000, stallMs: 30_000, tickMs: 1_000 };
/** The time that a stream has to send the rest after the service ends it. */
const LAST_WORD_MS = 250;

interface TenantStreams {
  readonly tail: FeedTail;
  readonly streams: Set<EventStream>;
}

/** Opens streams of events, within limits, and ends them: with their credential, with their reader, and with the service. */
export class EventStreams {
  readonly #parts: EventStreamsParts;
  readonly #times: StreamTimes;
  readonly #tenants = new Map<TenantId, TenantStreams>();
  readonly #places: StreamPlaces;
  /** Streams that are behind read from the store one after the other, so that a tenant cannot occupy it. */
  readonly #slots = new TenantSlots(1);
  readonly #timer: NodeJS.Timeout;
  #confirmedAtMs = performance.now();
  #isConfirming = false;
  #isClosed = false;

  constructor(parts: EventStreamsParts) {
    this.#parts = parts;
    const message = 'All places are in use, and another tenant or caller has taken over this one';
    this.#places = new StreamPlaces((stream) => endSoon([stream], { code: 'unavailable', message }));
    this.#times = { ...TIMES, ...parts.times };
    this.#timer = setInterval(() => this.#tick(performance.now()), this.#times.tickMs);
    this.#timer.unref();
  }

  /** The number of open streams. */
  get open(): number {
    return this.#places.taken;
  }

  /** The number of positions that the slowest stream is behind the newest one that was read. */
  lag(): number {
    let largest = 0;
    for (const { tail, streams } of this.#tenants.values()) {
      for (const { position } of streams) largest = Math.max(largest, tail.head - position);
    }
    return largest;
  }

  /**
   * Opens a stream after the cursor of the request, or at the present end of the feed.
   * @throws ServiceError `rate_limited` and `unavailable` over a limit, `invalid_cursor`, `cursor_filter_mismatch`
   */
  async openFor(exchange: Exchange<typeof streamEvents>): Promise<EventStream> {
    if (this.#isClosed) throw stopping();
    const place = this.#places.take(exchange);
    try {
      return await this.#start(exchange, place);
    } catch (error) {
      this.#places.release(place);
      throw error;
    }
  }

  /** Sends what was committed for a tenant. */
  wake(tenantId: TenantId): void {
    this.#tenants.get(tenantId)?.tail.wake();
  }

  /** Ends all streams. Those whose reader does not take the end are cut off soon after. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    endSoon(this.#all(), stopping());
  }

  async #start(exchange: Exchange<typeof streamEvents>, place: StreamPlace): Promise<EventStream> {
    const { database, cursors, turns, logger } = this.#parts;
    const { tenantId, caller, requestId } = exchange;
    const start = toStreamStart(exchange, cursors);
    const { position: head } = await feedHeadStore.read(database.read, tenantId);
    if (this.#isClosed) throw stopping();
    const { tail, streams } = this.#tenantAt(tenantId, head);
    const stream = new EventStream({
      request: { caller, tenantId, requestId },
      filter: start.filter,
      key: start.key,
      tail,
      position: start.position ?? head,
      toCursor: start.toCursor,
      read: (after) =>
        this.#slots.run(tenantId, () =>
          readFeedPart(database.read, { tenantId, after, filter: start.filter }),
        ),
      takeTurn: (work) => turns.run(tenantId, work),
      onFailure: (error) => logger.warn({ err: error, tenantId }, 'stream of events failed'),
      onClose: (closed) => this.#forget(closed, place),
    });
    place.stream = stream;
    streams.add(stream);
    return stream;
  }

  /** Returns the streams of a tenant. The first one starts to follow the feed. */
  #tenantAt(tenantId: TenantId, head: number): TenantStreams {
    const known = this.#tenants.get(tenantId);
    if (known) return known;
    const { database, turns, logger } = this.#parts;
    const streams = new Set<EventStream>();
    const onAppended = () => turns.runEach(tenantId, [...streams], (stream) => stream.pump());
    const onFailure = (error: unknown, inARow: number) => {
      if (inARow === 1) logger.warn({ err: error, tenantId }, 'end of the feed could not be read');
    };
    const tail = new FeedTail({ database, tenantId, head, onAppended, onFailure });
    const tenant = { tail, streams };
    this.#tenants.set(tenantId, tenant);
    return tenant;
  }

  #forget(stream: EventStream, place: StreamPlace): void {
    const { tenantId } = stream.request;
    this.#places.release(place);
    const tenant = this.#tenants.get(tenantId);
    if (!tenant?.streams.delete(stream)) return;
    if (tenant.streams.size > 0) return;
    tenant.tail.stop();
    this.#tenants.delete(tenantId);
  }

  #all(): EventStream[] {
    return [...this.#tenants.values()].flatMap(({ streams }) => [...streams]);
  }

  #tick(nowMs: number): void {
    const { heartbeatMs, stallMs, confirmMs } = this.#times;
    for (const stream of this.#all()) {
      if (stream.stalledMs(nowMs) > stallMs) stream.destroy();
      else if (stream.silentMs(nowMs) >= heartbeatMs) stream.heartbeat();
    }
    if (this.#isConfirming || nowMs - this.#confirmedAtMs < confirmMs) return;
    this.#confirmedAtMs = nowMs;
    this.#isConfirming = true;
    void this.#confirm().finally(() => {
      this.#isConfirming = false;
    });
  }

  /** Ends the streams whose credential has ended or lost its scope. One statement reads all of them. */
  async #confirm(): Promise<void> {
    const streams = this.#all();
    if (streams.length === 0) return;
    try {
      const refusalOf = await this.#parts.database.findRefusals(streams.map(({ request }) => request));
      for (const stream of streams) {
        const refusal = refusalOf(stream.request);
        if (refusal) stream.end(refusal);
      }
    } catch (error) {
      // While the store cannot be read, no stream gets an event either.
      this.#parts.logger.warn({ err: error }, 'credentials of streams could not be confirmed');
    }
  }
}

/** Ends streams. The connection is closed soon after if the reader does not take the end. */
function endSoon(streams: readonly EventStream[], reason: Pick<ServiceError, 'code' | 'message'>): void {
  for (const stream of streams) stream.end(reason);
  setTimeout(() => {
    for (const stream of streams) stream.destroy();
  }, LAST_WORD_MS).unref();
}

function stopping(): ServiceError {
  return new ServiceError('unavailable', 'The service is stopping');
}

export interface EventStreamsParts {
  readonly database: RequestDatabase;
  readonly cursors: CursorCodec;
  readonly turns: FairTurns;
  readonly logger: Logger;
  /** Replaces the times, for tests. */
  readonly times?: Partial<StreamTimes>;
}
