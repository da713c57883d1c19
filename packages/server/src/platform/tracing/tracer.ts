import type { ErrorCode } from '@tps/contract';
import { ServiceError } from '../service-error.ts';
import type { TraceContext } from './trace-context.ts';

type Attributes = Readonly<Record<string, string | number | undefined>>;

export interface SpanOptions {
  /** What the span is part of. Without one it begins a trace. */
  readonly parent?: TraceContext | undefined;
  /** `server`: a request that we answer. `client`: a request that we make (default: neither). */
  readonly kind?: 'server' | 'client';
  /** Never contain content of a tenant or personal data. */
  readonly attributes?: Attributes;
  /** Unix time in milliseconds (default: now). */
  readonly startedAtMs?: number;
}

/** A piece of work with a beginning and an end. */
export interface Span {
  /** What work inside this span has as its parent. Undefined if there is no trace. */
  readonly context: TraceContext | undefined;
  /** `error` is the kind of a failure, such as a status or a code. */
  end(outcome?: { readonly attributes?: Attributes; readonly error?: string | undefined }): void;
}

/** Records what the service does, for one that reads traces. */
export interface Tracer {
  start(name: string, options: SpanOptions): Span;
}

const NO_SPAN: Span = { context: undefined, end: () => undefined };

/** Records nothing. The trace of a client is passed on as it is. */
export const NO_TRACER: Tracer = {
  start: (_name, { parent }) => (parent ? { context: parent, end: NO_SPAN.end } : NO_SPAN),
};

/** Runs work that several requests share, with a span in the trace of each request that has one. */
export async function traceShared<Result>(
  tracer: Tracer,
  shared: {
    readonly name: string;
    readonly parents: readonly (TraceContext | undefined)[];
    readonly attributes?: Attributes;
  },
  work: () => Promise<Result>,
): Promise<Result> {
  const { name, parents, attributes = {} } = shared;
  const spans: Span[] = [];
  for (const parent of parents) if (parent) spans.push(tracer.start(name, { parent, attributes }));
  if (spans.length === 0) return work();
  try {
    const result = await work();
    for (const span of spans) span.end();
    return result;
  } catch (error) {
    for (const span of spans) span.end({ error: failureOf(error) });
    throw error;
  }
}

/** What a client is not to blame for. Listed, because the writer thread loads no schemas. */
const FAULTS: ReadonlySet<ErrorCode> = new Set(['internal_error', 'unavailable']);

/** Returns the kind of an error; undefined for a refusal. Never the message. */
function failureOf(error: unknown): string | undefined {
  if (!(error instanceof ServiceError)) return error instanceof Error ? error.name : 'unknown';
  return FAULTS.has(error.code) ? error.code : undefined;
}
