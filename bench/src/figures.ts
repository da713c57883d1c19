/** What can be measured, in the order of the columns: title, digits, and how targets call it. */
export const FIGURES = {
  requestsPerSecond: { title: 'requests/s', digits: 0 },
  eventsPerSecond: { title: 'events/s', digits: 0 },
  deliveriesPerSecond: { title: 'deliveries/s', digits: 0 },
  p50Ms: { title: 'p50 ms', digits: 2, name: 'p50' },
  p99Ms: { title: 'p99 ms', digits: 2, name: 'p99' },
  /** Mean time of a request by the service's own histogram. */
  serverMs: { title: 'server ms', digits: 2, name: 'server time' },
  /** CPU time over wall time; 1 is one core. */
  serverCores: { title: 'server cores', digits: 2 },
  /** Of the PostgreSQL server. */
  storeCores: { title: 'store cores', digits: 2 },
  /** Near 1 the client, not the server, was the limit. */
  clientCores: { title: 'client cores', digits: 2 },
  /** Of the process that receives deliveries. */
  receiverCores: { title: 'receiver cores', digits: 2 },
  /** CPU time of the server and its store per event, request or delivery: depends little on what else the machine does. */
  cpuMicros: { title: 'CPU µs each', digits: 0, name: 'CPU of service and store each' },
  /** The longest time during which the main thread of the service took no other work. */
  loopPauseMs: { title: 'loop pause ms', digits: 1, name: 'longest pause of the event loop' },
  /** The longest time without any arrival. */
  longestPauseMs: { title: 'longest pause ms', digits: 0 },
  peakMiB: { title: 'memory MiB', digits: 0, name: 'memory' },
  /** Resident size after the first fifth of the work, and at its end. */
  earlyMiB: { title: 'MiB after 1/5', digits: 0, name: 'after the first fifth' },
  lateMiB: { title: 'MiB at the end', digits: 0, name: 'memory at the end' },
  /** Growth of heap and resident size, after a full garbage collection. */
  heapGrowthMiB: { title: 'heap MiB', digits: 1 },
  residentGrowthMiB: { title: 'resident MiB', digits: 1 },
  /** On disk. */
  bytesEach: { title: 'bytes each', digits: 0 },
  readyMs: { title: 'ready ms', digits: 0, name: 'ready' },
} as const satisfies Record<string, { title: string; digits: number; name?: string }>;

export type Figure = keyof typeof FIGURES;

/** What one round measured for one row. */
export type Sample = Readonly<Partial<Record<Figure, number>>>;

/** Keeps the samples of all rows, in the order in which the rows first appeared. */
export interface SampleRecorder {
  record(row: string, sample: Sample): void;
  rows(): string[];
  /** The median over all rounds; undefined when the row has no such figure. */
  median(row: string, figure: Figure): number | undefined;
  /** The median over all rounds of the ratio within each round. */
  ratio(figure: Figure, row: string, base: string): number | undefined;
}

/** Prints each sample as soon as it is recorded. */
export function createSampleRecorder(): SampleRecorder {
  const samples = new Map<string, Sample[]>();
  const valuesOf = (row: string, figure: Figure) =>
    (samples.get(row) ?? []).map((sample) => sample[figure]).filter((value) => value !== undefined);
  return {
    record(row, sample) {
      samples.set(row, [...(samples.get(row) ?? []), sample]);
      const figures = Object.entries(sample).map(([figure, value]) => `${figure} ${value.toFixed(2)}`);
      console.log(`  ${row}: ${figures.join(', ')}`);
    },
    rows: () => [...samples.keys()],
    median: (row, figure) => median(valuesOf(row, figure)),
    ratio(figure, row, base) {
      const bases = valuesOf(base, figure);
      return median(
        valuesOf(row, figure).flatMap((value, round) => {
          const other = bases[round];
          return other === undefined ? [] : [value / other];
        }),
      );
    },
  };
}

/** The middle value, or the mean of the two middle values; undefined for an empty list. */
function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)];
  if (upper === undefined || sorted.length % 2 === 1) return upper;
  return ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Returns the value below which this share of the sorted values lies; NaN for an empty list. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
