import type { CircuitStatus, WebhookKey } from '../webhook.ts';

/**
 * A webhook whose receiver has failed to respond. `open` until the next probe; `half_open` while a batch of its dead
 * letters is being replayed, of which the first, the probe, has one.
 */
export interface Circuit extends WebhookKey, Pick<CircuitStatus, 'state' | 'dueAtMs'> {
  readonly openedAtMs: number;
  /** Failed probes in a row. */
  readonly failedProbes: number;
  /** Dead letters delivered since it opened. */
  readonly replayed: number;
  /** The receiver asked for no requests before this time (`Retry-After`); null if it did not. */
  readonly silentUntilMs: number | null;
  /** The deliveries of the batch under way. */
  readonly batch: Batch | null;
}

interface Batch {
  /** Most dead letters that it may have. */
  readonly size: number;
  /** The first and the last delivery. Ids ascend in the order of the feed. */
  readonly from: string;
  readonly until: string;
}

/** Between the checks of a batch. The next batch begins with the first check that finds all of it delivered. */
export const PACE_MS = 500;
/** At most this many deliveries per batch, so that a receiver that has just come up gets at most 128 a second. */
const MAX_BATCH = 64;

const FIRST_PROBE_MS = 5_000;
const MAX_PROBE_MS = 300_000;
/** Random extra, so that receivers that failed together are not probed together. */
const JITTER = 0.2;

/** Returns how long to wait for the next probe: doubles with each failed one, from 5 s to 5 min. */
export function probeDelayMs(failedProbes: number, random: number): number {
  const usual = Math.min(FIRST_PROBE_MS * 2 ** Math.min(failedProbes, 16), MAX_PROBE_MS);
  return Math.ceil(usual * (1 + JITTER * random));
}

export function openCircuit(
  key: WebhookKey,
  { nowMs, random, silentUntilMs = null }: { nowMs: number; random: number; silentUntilMs?: number | null },
): Circuit {
  return {
    tenantId: key.tenantId,
    webhookId: key.webhookId,
    state: 'open',
    dueAtMs: Math.max(nowMs + probeDelayMs(0, random), silentUntilMs ?? 0),
    openedAtMs: nowMs,
    failedProbes: 0,
    replayed: 0,
    silentUntilMs,
    batch: null,
  };
}

/** Ends a batch of which a delivery has failed. After a failed probe the pauses grow; otherwise they begin again. */
export function stopReplay(
  circuit: Circuit,
  { nowMs, random, delivered }: { nowMs: number; random: number; delivered: number },
): Circuit {
  const isProbe = (circuit.batch?.size ?? 1) === 1;
  const failedProbes = isProbe ? circuit.failedProbes + 1 : 0;
  return {
    ...circuit,
    state: 'open',
    dueAtMs: Math.max(nowMs + probeDelayMs(failedProbes, random), circuit.silentUntilMs ?? 0),
    failedProbes,
    replayed: circuit.replayed + delivered,
    batch: null,
  };
}

/** How many dead letters the next batch has: one for the probe, then twice as many each time. */
export function nextBatchSize({ batch }: Circuit): number {
  return batch === null ? 1 : Math.min(batch.size * 2, MAX_BATCH);
}
