/** What a worker is told at its start, as JSON in its first argument. The credential comes in TPS_CREDENTIAL. */
export interface WorkerPlan {
  /** Each with the directory of an enrolled agent. */
  readonly devices: readonly { readonly number: number; readonly directory: string }[];
  /** Decisions each second, of all its devices together. */
  readonly ratePerSecond: number;
  /** Share of the devices that have no network at any moment, 0 to 1. */
  readonly offlineShare: number;
  /** Devices' clocks are off by up to this much, in either direction. */
  readonly clockSkewMs: number;
  readonly seed: number;
  /** How long it takes at the end until everything has to be delivered. */
  readonly drainMs: number;
}

/** What became of the requests of a worker since its start. */
export interface TrafficCounts {
  readonly sent: number;
  /** No answer, or 429 or 5xx: tried again. */
  readonly retried: number;
  readonly throttled: number;
  readonly offline: number;
}

/** How one device stands at the end. */
export interface DeviceResult {
  readonly number: number;
  readonly waiting: number;
  readonly refused: number;
  readonly declared: number;
}

/** What a worker says, a JSON array a line, as soon as it is so. */
export type WorkerMessage =
  /** All its agents are open, and it records from now on. What they have dropped and declared ever: it is not of this run. */
  | readonly ['ready', declared: readonly (readonly [device: number, count: number])[]]
  /** A decision that its agent has promised to keep, and how long recording it took. */
  | readonly ['recorded', device: number, eventId: string, ms: number]
  | readonly ['traffic', TrafficCounts & { readonly waiting: number }]
  | readonly ['trouble', text: string]
  | readonly ['done', readonly DeviceResult[]];
