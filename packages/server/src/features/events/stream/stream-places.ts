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
  readonly isOfPerson: boolean;
  readonly holder: string;
  /** Undefined while it is being opened. */
  stream?: EventStream;
}

/**
 * The limited places of streams. When all are taken, a tenant that has fewer than another gets one of those: tenants cannot
 * exclude each other. In the same way the places of a tenant are shared by people and programs, of which one can get any
 * number of tokens, and the places of each by its callers.
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
    const isOfPerson = (caller.issued?.accountId ?? null) !== null;
    const place: StreamPlace = { tenantId, isOfPerson, holder: holderOf(caller) };
    const ofTenant = [...this.#places].filter((one) => one.tenantId === tenantId);
    if (ofTenant.length >= MAX_STREAMS_PER_TENANT) {
      const isFreed = this.#displace(ofTenant, place, [(one) => one.isOfPerson, (one) => one.holder]);
      if (!isFreed) throw refusal('rate_limited', `A tenant has at most ${MAX_STREAMS_PER_TENANT} streams`);
    } else if (this.#places.size >= MAX_STREAMS) {
      const isFreed = this.#displace([...this.#places], place, [(one) => one.tenantId]);
      if (!isFreed) throw refusal('unavailable', `All ${MAX_STREAMS} streams of this process are in use`);
    }
    this.#places.add(place);
    return place;
  }

  /** Frees a place. Has no effect if it is free or another stream has taken it. */
  release(place: StreamPlace): void {
    this.#places.delete(place);
  }

  /** Frees a place of the group that has the most, if that has two more than the group of the one that asks. */
  #displace(places: readonly StreamPlace[], asking: StreamPlace, groupings: readonly GroupRule[]): boolean {
    const victim = pickVictim(findCrowd(places, asking, groupings));
    if (!victim?.stream) return false;
    this.#places.delete(victim);
    this.#onDisplaced(victim.stream);
    return true;
  }
}

type GroupRule = (place: StreamPlace) => string | boolean;

/** Returns the places one of which the asking one may take. If its group has its share, it competes with this group only. */
function findCrowd(
  places: readonly StreamPlace[],
  asking: StreamPlace,
  [groupOf, ...finer]: readonly GroupRule[],
): readonly StreamPlace[] {
  if (!groupOf) return [];
  const own = places.filter((one) => groupOf(one) === groupOf(asking));
  const largest = findLargestGroups(places, groupOf);
  if (largest.size < own.length + 2) return findCrowd(own, asking, finer);
  return finer.reduce((crowd, finerOf) => findLargestGroups(crowd, finerOf).places, largest.places);
}

/** Returns the size of the largest group, and the places of all groups of this size. */
function findLargestGroups(places: readonly StreamPlace[], groupOf: GroupRule) {
  const sizes = new Map<string | boolean, number>();
  for (const place of places) sizes.set(groupOf(place), (sizes.get(groupOf(place)) ?? 0) + 1);
  const size = Math.max(0, ...sizes.values());
  return { size, places: places.filter((place) => sizes.get(groupOf(place)) === size) };
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
