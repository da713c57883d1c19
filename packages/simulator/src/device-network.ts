/** How the requests of simulated devices have ended so far. */
export interface TrafficCounts {
  readonly sent: number;
  /** Without an answer, or answered 429 or 5xx: the agent tries again. */
  readonly retried: number;
  /** Answered 429. */
  readonly throttled: number;
  /** Not sent, because the device was offline. */
  readonly offline: number;
}

export interface DeviceNetworkOptions {
  /** True while requests of the device do not reach the service. */
  readonly isOffline: () => boolean;
  /** Updated with each request. Devices may share one. */
  readonly counts: { -readonly [Name in keyof TrafficCounts]: number };
}

/** Returns a `fetch` for one device that fails while the device is offline. */
export function createDeviceNetwork({ isOffline, counts }: DeviceNetworkOptions): typeof globalThis.fetch {
  return async (input, init) => {
    if (isOffline()) {
      counts.offline += 1;
      throw new TypeError('The simulated device is offline.');
    }
    counts.sent += 1;
    try {
      const response = await fetch(input, init);
      if (response.status === 429) counts.throttled += 1;
      if (response.status === 429 || response.status >= 500) counts.retried += 1;
      return response;
    } catch (error) {
      counts.retried += 1;
      throw error;
    }
  };
}

/** How long a device stays online or offline. */
const SPELL_MS = 2_000;

/** True for the given share of devices at any time. Which devices those are changes every two seconds. */
export function isOfflineAt(
  nowMs: number,
  { number, offlineShare, seed }: { number: number; offlineShare: number; seed: number },
): boolean {
  return mix(Math.floor(nowMs / SPELL_MS), number, seed) < offlineShare;
}

/** Mixes three numbers into one from 0 to 1 (the finalizer of MurmurHash3). */
function mix(spell: number, number: number, seed: number): number {
  let mixed = (spell ^ Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(seed + 1, 0x85ebca77)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 4_294_967_296;
}
