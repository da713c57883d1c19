import type { Registry } from 'prom-client';
import type { Config } from '../../platform/config/config.ts';
import type { Logger } from '../../platform/logger.ts';
import { NO_TRACER } from '../../platform/tracing/tracer.ts';
import type { Telemetry } from './telemetry.ts';

/** Starts the export if there is a collector. The SDK is loaded only then: it takes time and memory. */
export async function startTelemetry(parts: {
  readonly config: Config;
  readonly logger: Logger;
  readonly registry: Registry;
}): Promise<Telemetry> {
  const { telemetry } = parts.config;
  if (!telemetry) return { tracer: NO_TRACER, stop: async () => undefined };
  const { openTelemetry } = await import('./open-telemetry.ts');
  return openTelemetry(telemetry, parts);
}
