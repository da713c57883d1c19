import { holderOf } from '../../../platform/http/holder.ts';
import type { AdmittedRequest } from '../../../platform/http/route.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import type { EventStream } from './event-stream.ts';

/** Streams of one tenant in this process. */
export const MAX_STREAMS_PER_TENANT = 100;
/** Streams of all tenants in this process. */
export const MAX_STREAMS = 500;

/** A reader that has taken nothing for this long gives up its place before others. */
const STALLED_MS = 1_000;
const RETRY_AFTER_S = 10;

/** The place of a stream that is open or is being opened. */
export interface StreamPlace {
  readonly tenantId: string;
  readonly holder: string;
  /** Undefined while it is being opened. */
  stream?: EventStream;
}

/**
 * The limited places of streams. When all are taken, a tenant that has fewer than another gets one of those: tenants cannot
 * exclude each other. In the same way the places of a tenant are shared by its callers.
 */
export class StreamPlaces {
  /** In the order in which they were taken. */
  readonly #places = new Set<StreamPlace>();
  readonly #onDisplaced: (stream: EventStream) => void;

  /** @param onDisplaced is called with a stream whose place another one has taken */
  constructor(onDisplaced: (stream: EventStream) => void) {
    this.#onDisplaced = onDisplaced;
  }

  get taken(): number {
    return this.#places.size;
  }

  /**
   * Takes a place for a caller.
   * @throws ServiceError `rate_limited` if the tenant has all of its places, `unavailable` if the process has none
   */
  take({ tenantId, caller }: AdmittedRequest): StreamPlace {
    const place: StreamPlace = { tenantId, holder: holderOf(caller) };
    const ofTenant = [...this.#places].filter((one) => one.tenantId === tenantId);
    if (ofTenant.length >= MAX_STREAMS_PER_TENANT) {
      const isFreed = this.#displace(ofTenant, ({ holder }) => holder, place.holder);
      if (!isFreed) throw refusal('rate_limited', `A tenant has at most ${MAX_STREAMS_PER_TENANT} streams`);
    } else if (this.#places.size >= MAX_STREAMS) {
      const isFreed = this.#displace([...this.#places], (one) => one.tenantId, tenantId);
      if (!isFreed) throw refusal('unavailable', `All ${MAX_STREAMS} streams of this process are in use`);
    }
    this.#places.add(place);
    return place;
  }

  /** Frees a place. Has no effect if it is free or another stream has taken it. */
  release(place: StreamPlace): void {
    this.#places.delete(place);
  }

  /** Frees a place of the group that has the most, if that has two more than the one that asks. */
  #displace(
    places: readonly StreamPlace[],
    groupOf: (place: StreamPlace) => string,
    asking: string,
  ): boolean {
    const groups = new Map<string, StreamPlace[]>();
    for (const place of places) {
      const group = groups.get(groupOf(place));
      if (group) group.push(place);
      else groups.set(groupOf(place), [place]);
    }
    const [most = []] = [...groups.values()].toSorted((one, other) => other.length - one.length);
    if (most.length < (groups.get(asking)?.length ?? 0) + 2) return false;
    const victim = pickVictim(most);
    if (!victim?.stream) return false;
    this.#places.delete(victim);
    this.#onDisplaced(victim.stream);
    return true;
  }
}

/** Returns the place of the reader that has taken nothing for the longest time, otherwise the newest. */
function pickVictim(places: readonly StreamPlace[]): StreamPlace | undefined {
  const nowMs = performance.now();
  const stalledMs = ({ stream }: StreamPlace) => stream?.stalledMs(nowMs) ?? 0;
  const [stalled] = places.toSorted((one, other) => stalledMs(other) - stalledMs(one));
  if (stalled && stalledMs(stalled) >= STALLED_MS) return stalled;
  return places.findLast(({ stream }) => stream !== undefined);
}

function refusal(code: 'rate_limited' | 'unavailable', limit: string): ServiceError {
  const message = `${limit}. Close one, or read pages of GET /events`;
  return new ServiceError(code, message, { retryAfterSeconds: RETRY_AFTER_S });
}
