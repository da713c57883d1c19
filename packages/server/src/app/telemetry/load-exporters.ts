import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { TelemetryConfig } from '../../platform/config/config.ts';
import { parseHeaderList } from '../../platform/config/header-list.ts';

export interface Exporters {
  traces(): SpanExporter;
  metrics(): PushMetricExporter;
}

/** Loads the exporters of one encoding. They read address, time limit, compression and certificates by themselves. */
export async function loadExporters({
  protocol,
  headers,
}: Pick<TelemetryConfig, 'protocol' | 'headers'>): Promise<Exporters> {
  const [traces, metrics] = await (protocol === 'http/json'
    ? Promise.all([
        import('@opentelemetry/exporter-trace-otlp-http'),
        import('@opentelemetry/exporter-metrics-otlp-http'),
      ])
    : Promise.all([
        import('@opentelemetry/exporter-trace-otlp-proto'),
        import('@opentelemetry/exporter-metrics-otlp-proto'),
      ]));
  // Those of the environment may be in a file, which the SDK does not know.
  const options = { headers: parseHeaderList(headers?.reveal() ?? '') ?? {} };
  return {
    traces: () => new traces.OTLPTraceExporter(options),
    metrics: () => new metrics.OTLPMetricExporter(options),
  };
}
