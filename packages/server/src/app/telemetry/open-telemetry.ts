import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  defaultResource,
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Registry } from 'prom-client';
import type { TelemetryConfig } from '../../platform/config/config.ts';
import type { Logger } from '../../platform/logger.ts';
import { NO_TRACER } from '../../platform/tracing/tracer.ts';
import { serviceVersion } from '../service-version.ts';
import { loadExporters } from './load-exporters.ts';
import { RegistryMetrics } from './registry-metrics.ts';
import { reportFailures } from './report-failures.ts';
import { SdkTracer } from './sdk-tracer.ts';
import type { Telemetry } from './telemetry.ts';

/** Spans that wait for an export, about 1 KiB each. When they are this many, further ones are dropped. */
const MAX_WAITING_SPANS = 4096;
/** What has not reached the collector within this time of a stop is lost. The process has ten seconds for everything. */
const LAST_EXPORT_MS = 1_500;

interface TelemetryParts {
  readonly logger: Logger;
  readonly registry: Registry;
}

/**
 * Opens the SDK of OpenTelemetry. It is not registered globally and patches nothing: the service passes `tracer` to the
 * few places that create spans. An export that fails is logged and dropped.
 */
export async function openTelemetry(
  config: TelemetryConfig,
  { logger, registry }: TelemetryParts,
): Promise<Telemetry> {
  const resource = describeService();
  const exporters = await loadExporters(config);
  const closers: (() => Promise<void>)[] = [];
  let tracer = NO_TRACER;
  if (config.traces) {
    const exporter = reportFailures(exporters.traces(), { signal: 'traces', logger });
    const provider = new TracerProvider({
      resource,
      sampler: toSampler(config),
      spanLimits: { attributeValueLengthLimit: 256 },
      spanProcessors: [
        new BatchSpanProcessor({
          exporter,
          maxQueueSize: MAX_WAITING_SPANS,
          scheduledDelayMillis: config.tracesEveryMs,
        }),
      ],
    });
    tracer = new SdkTracer(provider.getTracer('@tps/server', serviceVersion()));
    closers.push(() => provider.shutdown());
  }
  if (config.metrics) {
    const reader = new PeriodicExportingMetricReader({
      exporter: reportFailures(exporters.metrics(), { signal: 'metrics', logger }),
      exportIntervalMillis: config.metricsEveryMs,
      metricProducers: [new RegistryMetrics(registry, resource)],
    });
    const meters = new MeterProvider({ resource, readers: [reader] });
    closers.push(() => meters.shutdown());
  }
  const { endpoint, protocol, sampler } = config;
  logger.info({ endpoint, protocol, sampler }, 'telemetry started');
  return {
    tracer,
    async stop() {
      const closed = Promise.allSettled(closers.map((close) => close()));
      await Promise.race([closed, pause(LAST_EXPORT_MS, undefined, { ref: false })]);
    },
  };
}

/** The detectors of hosts and processes are left out: they send the command line and the name of the user. */
function describeService(): Resource {
  const own = resourceFromAttributes({
    'service.name': 'threat-protection-service',
    'service.version': serviceVersion(),
    // Several nodes count separately.
    'service.instance.id': randomUUID(),
  });
  const given = detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] });
  return defaultResource().merge(own).merge(given);
}

function toSampler({ sampler, sampleRatio }: TelemetryConfig): Sampler {
  const root = sampler.replace('parentbased_', '');
  const chosen =
    root === 'always_on'
      ? new AlwaysOnSampler()
      : root === 'always_off'
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(sampleRatio);
  return sampler === root ? chosen : new ParentBasedSampler({ root: chosen });
}
