import type { Attributes, HrTime } from '@opentelemetry/api';
import { ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { Metric, MetricObjectWithValues, MetricValue, Registry } from 'prom-client';

type MetricSnapshot = MetricObjectWithValues<MetricValue<string>>;
type Sample = MetricSnapshot['values'][number] & { readonly metricName?: string };
interface Times {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

/** Exports what `/metrics` serves, under the same names, from the same registry. */
export class RegistryMetrics implements MetricProducer {
  readonly #registry: Registry;
  readonly #resource: Resource;
  /** Counters begin with the process. */
  readonly #startTime = toHrTime(performance.timeOrigin);

  constructor(registry: Registry, resource: Resource) {
    this.#registry = registry;
    this.#resource = resource;
  }

  async collect(): Promise<CollectionResult> {
    const readings = await readAll(this.#registry);
    const times = { startTime: this.#startTime, endTime: toHrTime(Date.now()) };
    const metrics = readings.flatMap((reading) => toMetricData(reading, times));
    return {
      resourceMetrics: {
        resource: this.#resource,
        scopeMetrics: [{ scope: { name: '@tps/server' }, metrics }],
      },
      errors: [],
    };
  }
}

/** A metric that cannot be read, such as one that asks the store, is left out. */
async function readAll(registry: Registry): Promise<MetricSnapshot[]> {
  const metrics = registry.getMetricsAsArray() as unknown as Metric[];
  const readings = await Promise.allSettled(metrics.map((metric) => metric.get()));
  return readings.flatMap((reading) => (reading.status === 'fulfilled' ? [reading.value] : []));
}

/** One metric; several for a summary, which OpenTelemetry does not produce: its quantiles are gauges. */
function toMetricData(reading: MetricSnapshot, times: Times): MetricData[] {
  const samples = reading.values as readonly Sample[];
  if (samples.length === 0) return [];
  const type = String(reading.type);
  const base = (name: string) => ({
    descriptor: { name, description: reading.help, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  });
  if (type === 'histogram') {
    const dataPoints = toHistograms(samples, times);
    return [{ ...base(reading.name), dataPointType: DataPointType.HISTOGRAM, dataPoints }];
  }
  const byName = groupBy(samples, ({ metricName }) => metricName ?? reading.name);
  return [...byName].map(([name, ofName]) => {
    const dataPoints = ofName.map(({ labels, value }) => ({
      ...times,
      attributes: toAttributes(labels),
      value,
    }));
    const isSum = type === 'counter' || (type === 'summary' && name !== reading.name);
    return isSum
      ? { ...base(name), dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
      : { ...base(name), dataPointType: DataPointType.GAUGE, dataPoints };
  });
}

/** Prometheus counts what is below each bound, OpenTelemetry what is between two. */
function toHistograms(samples: readonly Sample[], times: Times): DataPoint<Histogram>[] {
  const series = groupBy(samples, ({ labels: { le: _bound, ...labels } }) => JSON.stringify(labels));
  return [...series].map(([labels, ofSeries]) => {
    const buckets = ofSeries.filter(({ labels: { le } }) => le !== undefined);
    const totals = buckets.map(({ value }) => value);
    const ending = (suffix: string) =>
      ofSeries.find(({ metricName }) => metricName?.endsWith(suffix))?.value ?? 0;
    return {
      ...times,
      attributes: JSON.parse(labels) as Attributes,
      value: {
        buckets: {
          boundaries: buckets.map(({ labels: { le } }) => Number(le)).filter(Number.isFinite),
          counts: totals.map((total, index) => total - (totals[index - 1] ?? 0)),
        },
        count: ending('_count'),
        sum: ending('_sum'),
      },
    };
  });
}

function toAttributes(labels: Sample['labels']): Attributes {
  return { ...labels } as Attributes;
}

function groupBy(samples: readonly Sample[], keyOf: (sample: Sample) => string): Map<string, Sample[]> {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const key = keyOf(sample);
    const group = groups.get(key);
    if (group) group.push(sample);
    else groups.set(key, [sample]);
  }
  return groups;
}

/** UCUM, from the ending of the name. */
function unitOf(name: string): string {
  if (/_seconds(?:_total)?$/.test(name)) return 's';
  return /_bytes(?:_total)?$/.test(name) ? 'By' : '';
}

function toHrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}
