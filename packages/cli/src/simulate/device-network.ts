import type { TrafficCounts } from './worker-protocol.ts';

/** How long a device keeps its network, or is without. */
const SPELL_MS = 2_000;

export interface NetworkOptions {
  readonly number: number;
  readonly offlineShare: number;
  readonly seed: number;
  readonly counts: { -readonly [Name in keyof TrafficCounts]: number };
  /** True once every device has its network again. */
  readonly isDraining: () => boolean;
}

/** Gives a device's way to the network, which is not always there. */
export function deviceNetwork(options: NetworkOptions): typeof globalThis.fetch {
  const { counts } = options;
  return async (input, init) => {
    if (!options.isDraining() && isOffline(options, Date.now())) {
      counts.offline += 1;
      throw new TypeError('simulated: no network');
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

/** Which devices are without a network changes with each spell; how many are does not. */
export function isOffline(
  { number, offlineShare, seed }: Pick<NetworkOptions, 'number' | 'offlineShare' | 'seed'>,
  nowMs: number,
): boolean {
  return shareOf(Math.floor(nowMs / SPELL_MS), number, seed) < offlineShare;
}

/** Mixes three numbers into one from 0 to 1 (the finaliser of MurmurHash3). */
function shareOf(spell: number, number: number, seed: number): number {
  let mixed = (spell ^ Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(seed + 1, 0x85ebca77)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 4_294_967_296;
}
