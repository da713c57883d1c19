import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';

/** The value of a gauge, or its values by label. Undefined or an empty list: it has none. */
export type GaugeValues<Label extends string = string> =
  | number
  | undefined
  | readonly { readonly labels: Readonly<Record<Label, string>>; readonly value: number }[];

interface GaugeOptions {
  readonly name: `tps_${string}`;
  readonly help: string;
  readonly labels?: readonly string[];
}
export type SampledGauges = Readonly<Record<string, GaugeOptions>>;

export interface SampleOptions<Gauges extends SampledGauges> {
  /** The label that the sample has in metrics about samples. */
  readonly name: string;
  /** A reading that is younger is not repeated. */
  readonly maxAgeMs: number;
  readonly gauges: Gauges;
  /** Its cost must be bounded: lookups in indexes, or a scan in steps that is rare. */
  readonly read: () => Promise<{ readonly [Name in keyof Gauges]: GaugeValues }>;
}

interface SampleParts {
  readonly registry: Registry;
  /** How long `refresh` waits for a reading. */
  readonly waitMs: number;
  /** Runs a reading when it may begin. */
  readonly inTurn: (read: () => Promise<void>) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Gauges that are read from the store together, when the metrics are read and the previous reading is too old. While a reading
 * fails or takes long, the gauges keep the values of the previous one, and the time of that one shows their age.
 */
export class Sample {
  readonly name: string;
  readonly #maxAgeMs: number;
  readonly #waitMs: number;
  readonly #read: () => Promise<void>;
  readonly #onFailure: (error: unknown) => void;
  #reading: Promise<void> | undefined;
  #freshUntilMs = Number.NEGATIVE_INFINITY;
  #readAtMs: number | undefined;

  constructor(
    { name, maxAgeMs, gauges, read }: SampleOptions<SampledGauges>,
    { registry, waitMs, inTurn, onFailure }: SampleParts,
  ) {
    this.name = name;
    this.#maxAgeMs = maxAgeMs;
    this.#waitMs = waitMs;
    this.#onFailure = onFailure;
    const collect = () => this.refresh();
    const created = Object.entries(gauges).map(([key, { labels = [], ...options }]) => {
      const gauge = new Gauge({ ...options, labelNames: labels, registers: [registry], collect });
      setValues(gauge, undefined);
      return [key, gauge] as const;
    });
    const readAll = async () => {
      const readings = await read();
      for (const [key, gauge] of created) setValues(gauge, readings[key]);
    };
    this.#read = () => inTurn(readAll);
  }

  /** When the values were read, in Unix time; undefined before the first reading. */
  get readAtMs(): number | undefined {
    return this.#readAtMs;
  }

  /** Reads the gauges unless they are fresh. Several calls share one reading. */
  async refresh(): Promise<void> {
    if (performance.now() < this.#freshUntilMs) return;
    this.#reading ??= this.#run().finally(() => {
      this.#reading = undefined;
    });
    const waiting = new AbortController();
    const { signal } = waiting;
    const late = sleep(this.#waitMs, undefined, { signal, ref: false }).catch(() => undefined);
    await Promise.race([this.#reading, late]);
    waiting.abort();
  }

  async #run(): Promise<void> {
    try {
      await this.#read();
      this.#readAtMs = Date.now();
      this.#freshUntilMs = performance.now() + this.#maxAgeMs;
    } catch (error) {
      this.#onFailure(error);
    }
  }
}

/** Replaces all values of a gauge. */
export function setValues(gauge: Gauge, reading: GaugeValues): void {
  gauge.reset();
  // A gauge without labels is 0 after a reset.
  gauge.remove({});
  if (typeof reading === 'number') gauge.set(reading);
  else for (const { labels, value } of reading ?? []) gauge.set(labels, value);
}
