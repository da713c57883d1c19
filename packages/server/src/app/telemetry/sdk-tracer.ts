import {
  type Tracer as ApiTracer,
  type Context,
  ROOT_CONTEXT,
  type Span as SdkSpan,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { TraceContext } from '../../platform/tracing/trace-context.ts';
import type { Span, SpanOptions, Tracer } from '../../platform/tracing/tracer.ts';

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;

/** Records spans with the SDK. The parent of a span is always given: there is no current span. */
export class SdkTracer implements Tracer {
  readonly #tracer: ApiTracer;

  constructor(tracer: ApiTracer) {
    this.#tracer = tracer;
  }

  start(name: string, { parent, kind, attributes, startedAtMs }: SpanOptions): Span {
    const span = this.#tracer.startSpan(
      name,
      {
        kind: kind ? KINDS[kind] : SpanKind.INTERNAL,
        ...(attributes && { attributes }),
        ...(startedAtMs === undefined ? {} : { startTime: startedAtMs }),
      },
      parent ? toContext(parent) : ROOT_CONTEXT,
    );
    return new RecordedSpan(span);
  }
}

class RecordedSpan implements Span {
  readonly #span: SdkSpan;
  readonly context: TraceContext;

  constructor(span: SdkSpan) {
    this.#span = span;
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.context = { traceId, spanId, flags: traceFlags, isRemote: false };
  }

  end({ attributes, error }: Parameters<Span['end']>[0] = {}): void {
    if (attributes) this.#span.setAttributes(attributes);
    if (error !== undefined) {
      this.#span.setAttribute('error.type', error);
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end();
  }
}

function toContext({ traceId, spanId, flags, isRemote }: TraceContext): Context {
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: flags, isRemote });
}
