import type { Tracer } from '../../platform/tracing/tracer.ts';

/** The export of traces and metrics. */
export interface Telemetry {
  readonly tracer: Tracer;
  /** Exports the rest, for a bounded time. Never rejects. */
  stop(): Promise<void>;
}
