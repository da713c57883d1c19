import { median } from './statistics.ts';

/** What one round gave for one row of the table. What does not apply is left out. */
export interface Sample {
  readonly requestsPerSecond?: number;
  readonly eventsPerSecond?: number;
  readonly deliveriesPerSecond?: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  /** CPU time of the server over wall time; 1 is one core. */
  readonly serverCores?: number;
  /** The same for the PostgreSQL server behind it. */
  readonly storeCores?: number;
  /** The same for the client: near 1 it, not the server, was the limit. */
  readonly clientCores?: number;
  /** The same for the process that receives deliveries. */
  readonly receiverCores?: number;
  /** CPU time of the sender for one delivery: hardly touched by what else the machine has to do. */
  readonly deliveryCpuMicros?: number;
  /** The longest time in which nothing arrived anywhere. */
  readonly longestPauseMs?: number;
  readonly peakMiB?: number;
  /** Resident size after the first fifth of the work, and at its end. */
  readonly earlyMiB?: number;
  readonly lateMiB?: number;
  /** What the work added to the heap and to the resident size, after a full garbage collection. */
  readonly heapGrowthMiB?: number;
  readonly residentGrowthMiB?: number;
  /** On disk. */
  readonly bytesEach?: number;
  readonly readyMs?: number;
  /** Mean time of a request by the service's own histogram. */
  readonly serverMs?: number;
}
export type Figure = keyof Sample;

/** Keeps the samples of every row, in the order in which rows first came. */
export interface Recorder {
  record(row: string, sample: Sample): void;
  rows(): string[];
  /** The median over all rounds; undefined when the row has no such figure. */
  median(row: string, figure: Figure): number | undefined;
  /** The median over the rounds of the ratio within each round. */
  ratio(figure: Figure, row: string, base: string): number | undefined;
}

/** @param onRecord is told of each sample as it comes */
export function createRecorder(onRecord: (row: string, sample: Sample) => void): Recorder {
  const samples = new Map<string, Sample[]>();
  const valuesOf = (row: string, figure: Figure) =>
    (samples.get(row) ?? []).map((sample) => sample[figure]).filter((value) => value !== undefined);
  return {
    record(row, sample) {
      samples.set(row, [...(samples.get(row) ?? []), sample]);
      onRecord(row, sample);
    },
    rows: () => [...samples.keys()],
    median(row, figure) {
      const values = valuesOf(row, figure);
      return values.length === 0 ? undefined : median(values);
    },
    ratio(figure, row, base) {
      const bases = valuesOf(base, figure);
      const ratios = valuesOf(row, figure).flatMap((value, round) => {
        const other = bases[round];
        return other === undefined ? [] : [value / other];
      });
      return ratios.length === 0 ? undefined : median(ratios);
    },
  };
}
