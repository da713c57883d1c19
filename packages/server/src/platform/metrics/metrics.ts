import { setImmediate as nextTurn } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Logger } from '../logger.ts';
import { type GaugeValues, Sample, type SampledGauges, type SampleOptions, setValues } from './sample.ts';

/** What a metric is called and what it means, in Prometheus' conventions: base units, and a name that ends in the unit. */
interface MetricOptions<Label extends string> {
  readonly name: `tps_${string}`;
  readonly help: string;
  /** Names of labels with few values. A value is never an id, an address or another datum of a tenant or a person. */
  readonly labels?: readonly Label[];
}

/** How long reading the metrics waits for the store. After that, it gets the values of the previous reading. */
const WAIT_MS = 2_000;

/**
 * Time between two samples of the delay of the main thread, which the samples contain. With the 10 ms of prom-client, an idle
 * process woke 100 times a second, which was half of its processor time.
 */
const LOOP_SAMPLE_MS = 100;

/** `nodejs_active_resources` has the same figures. Prometheus' conventions forbid a gauge whose name ends in `_total`. */
const SUPERFLUOUS = ['handles', 'handles_total', 'requests', 'requests_total', 'resources_total'].map(
  (name) => `nodejs_active_${name}`,
);

/**
 * The metrics of a process. Each part registers its own. Every exporter reads `registry`; reading it reads the samples
 * that are too old.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #samples: Sample[] = [];
  readonly #failures: Counter<'sample'>;
  readonly #logger: Logger;
  readonly #waitMs: number;
  #lastReading: Promise<unknown> = Promise.resolve();

  constructor({ logger, waitMs = WAIT_MS }: { logger: Logger; waitMs?: number }) {
    this.#logger = logger;
    this.#waitMs = waitMs;
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: LOOP_SAMPLE_MS });
    for (const name of SUPERFLUOUS) this.registry.removeSingleMetric(name);
    this.#failures = this.counter({
      name: 'tps_sample_failures_total',
      help: 'Failed readings of metrics from the store, by sample.',
      labels: ['sample'],
    });
    this.gauge(
      {
        name: 'tps_sample_timestamp_seconds',
        help: 'Unix time at which the metrics of a sample were last read from the store.',
        labels: ['sample'],
      },
      async () => {
        await Promise.all(this.#samples.map((sample) => sample.refresh()));
        return this.#samples.flatMap(({ name, readAtMs }) =>
          readAtMs === undefined ? [] : [{ labels: { sample: name }, value: readAtMs / 1000 }],
        );
      },
    );
  }

  counter<Label extends string = never>({ name, help, labels = [] }: MetricOptions<Label>): Counter<Label> {
    return new Counter({ name, help, labelNames: labels, registers: [this.registry] });
  }

  /** @param buckets upper bounds, ascending */
  histogram<Label extends string = never>(
    { name, help, labels = [] }: MetricOptions<Label>,
    buckets: readonly number[],
  ): Histogram<Label> {
    return new Histogram({
      name,
      help,
      labelNames: labels,
      buckets: [...buckets],
      registers: [this.registry],
    });
  }

  /** Adds a gauge whose value the process knows. It is read with the metrics. */
  gauge<Label extends string = never>(
    { name, help, labels = [] }: MetricOptions<Label>,
    read: () => GaugeValues<Label> | Promise<GaugeValues<Label>>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [this.registry],
      async collect() {
        setValues(this, await read());
      },
    });
  }

  /** Adds gauges that are read from the store together. */
  sample<Gauges extends SampledGauges>(options: SampleOptions<Gauges>): void {
    const { name: sample } = options;
    this.#failures.inc({ sample }, 0);
    const onFailure = (error: unknown) => {
      this.#failures.inc({ sample });
      this.#logger.warn({ err: error, sample }, 'metrics could not be read from the store');
    };
    this.#samples.push(
      new Sample(options, {
        registry: this.registry,
        waitMs: this.#waitMs,
        inTurn: (read) => this.#inTurn(read),
        onFailure,
      }),
    );
  }

  /** One sample at a time, and after the gauges of the process: otherwise they would show the work for the metrics. */
  #inTurn(read: () => Promise<void>): Promise<void> {
    const reading = this.#lastReading.then(() => nextTurn()).then(read);
    this.#lastReading = reading.catch(() => undefined);
    return reading;
  }
}
