import type { TrafficCounts } from '../device-network.ts';

/** What a worker does: JSON in its first argument. */
export interface WorkerPlan {
  /** Each with the directory of an enrolled agent. */
  readonly devices: readonly { readonly number: number; readonly directory: string }[];
  /** Decisions per second, of all its devices together. */
  readonly ratePerSecond: number;
  /** Share of devices that are offline at any time, 0 to 1. */
  readonly offlineShare: number;
  /** Each device's clock is off by up to this much, in either direction. */
  readonly clockSkewMs: number;
  readonly seed: number;
  /** How long the devices may take to deliver everything at the end. */
  readonly drainMs: number;
}

/** The traffic of a worker, and how many events its devices still have to deliver. */
export type Traffic = TrafficCounts & { readonly waiting: number };

/** The final state of one device. */
export interface DeviceResult {
  readonly number: number;
  readonly waiting: number;
  readonly refused: number;
  readonly declared: number;
}

/** One message of a worker: a JSON array on a line, written immediately. */
export type WorkerMessage =
  /** All agents are open and recording starts. Lists the drops that each device had declared in former runs. */
  | readonly ['ready', declared: readonly (readonly [device: number, count: number])[]]
  /** A decision that its agent has stored on disk, and how long recording it took. */
  | readonly ['recorded', device: number, eventId: string, ms: number]
  | readonly ['traffic', Traffic]
  | readonly ['problem', text: string]
  | readonly ['done', readonly DeviceResult[]];
