import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { TelemetryConfig } from '../../platform/config/config.ts';

export interface Exporters {
  traces(): SpanExporter;
  metrics(): PushMetricExporter;
}

/** Loads the exporters of one encoding. They read address, headers, time limit, compression and certificates by themselves. */
export async function loadExporters(protocol: TelemetryConfig['protocol']): Promise<Exporters> {
  const [traces, metrics] = await (protocol === 'http/json'
    ? Promise.all([
        import('@opentelemetry/exporter-trace-otlp-http'),
        import('@opentelemetry/exporter-metrics-otlp-http'),
      ])
    : Promise.all([
        import('@opentelemetry/exporter-trace-otlp-proto'),
        import('@opentelemetry/exporter-metrics-otlp-proto'),
      ]));
  return { traces: () => new traces.OTLPTraceExporter(), metrics: () => new metrics.OTLPMetricExporter() };
}
