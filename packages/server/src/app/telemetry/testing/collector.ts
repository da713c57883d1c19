import type { WebhookReceiver } from '@tps/testing/receiver';

/** The part of OTLP in JSON that tests read. */
interface KeyValue {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
}
interface ResourceItem<Name extends string, Item> {
  readonly resource: { readonly attributes: readonly KeyValue[] };
  readonly scopes: Readonly<Record<Name, readonly Item[]>>[];
}
interface RawSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly attributes: readonly KeyValue[];
}
interface Point {
  readonly asDouble?: number;
}
interface ExportedMetric {
  readonly name: string;
  readonly unit: string;
  readonly gauge?: { readonly dataPoints: readonly Point[] };
  readonly sum?: { readonly dataPoints: readonly Point[]; readonly isMonotonic: boolean };
  readonly histogram?: {
    readonly aggregationTemporality: number;
    readonly dataPoints: readonly {
      readonly count: number | string;
      readonly explicitBounds: readonly number[];
      readonly bucketCounts: readonly (number | string)[];
    }[];
  };
}

export type ExportedSpan = Omit<RawSpan, 'attributes'> & { readonly attributes: Record<string, unknown> };

/** Returns all spans that the collector has received. */
export function spansAt(collector: WebhookReceiver): ExportedSpan[] {
  const spans = itemsAt<'spans', RawSpan>(collector, 'traces').flatMap(({ scopes }) => scopes);
  return spans.flatMap((scope) =>
    scope.spans.map((span) => ({ ...span, attributes: toRecord(span.attributes) })),
  );
}

/** Returns the latest reading of each metric that the collector has received. */
export function metricsAt(collector: WebhookReceiver): Map<string, ExportedMetric> {
  const scopes = itemsAt<'metrics', ExportedMetric>(collector, 'metrics').flatMap((item) => item.scopes);
  return new Map(scopes.flatMap(({ metrics }) => metrics.map((metric) => [metric.name, metric])));
}

/** Returns the attributes of the program that sent metrics. */
export function resourceAt(collector: WebhookReceiver): Record<string, unknown> {
  const [first] = itemsAt<'metrics', ExportedMetric>(collector, 'metrics');
  return toRecord(first?.resource.attributes ?? []);
}

function itemsAt<Name extends string, Item>(
  collector: WebhookReceiver,
  signal: 'traces' | 'metrics',
): ResourceItem<Name, Item>[] {
  const [list, scopes] =
    signal === 'traces' ? ['resourceSpans', 'scopeSpans'] : ['resourceMetrics', 'scopeMetrics'];
  return collector.requests
    .filter(({ path }) => path.endsWith(`/v1/${signal}`))
    .flatMap(({ body }) => (JSON.parse(body) as Record<string, Record<string, unknown>[]>)[list] ?? [])
    .map((item) => ({ resource: item.resource, scopes: item[scopes] }) as ResourceItem<Name, Item>);
}

function toRecord(attributes: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => {
      const { stringValue, intValue } = value;
      return [key, stringValue ?? (intValue === undefined ? undefined : Number(intValue))];
    }),
  );
}
