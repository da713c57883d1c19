import { setTimeout as pause } from 'node:timers/promises';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './config/config.ts';
import { redactCredentials } from './crypto/credentials.ts';

export type { Logger };

const SECRET_HEADERS = ['authorization', 'proxy-authorization', 'x-api-key', 'cookie', 'set-cookie'];

/** Every place where headers may occur: at the top level, in a request or response, in an object that wraps one. */
const HEADER_PARENTS = ['', 'headers', '*.headers'];

/** Where PostgreSQL quotes values of the row that an error is about. */
const ROW_VALUES = ['detail', 'where'];

/** Writes an error without values of rows. Not by `redact`: a path into a list slows down every line. */
function toLine(error: Error): object {
  const { aggregateErrors, ...line } = pino.stdSerializers.err(error) as Record<string, unknown>;
  for (const member of ROW_VALUES) if (member in line) line[member] = '[redacted]';
  if (!Array.isArray(aggregateErrors)) return line;
  const { errors = [] } = error as AggregateError;
  return { ...line, aggregateErrors: errors.map((each) => (each instanceof Error ? toLine(each) : each)) };
}

/**
 * Creates a logger that writes one JSON object per line, by default to standard output. It never writes a
 * credential: headers that carry one are redacted, and anything with the form of a credential is removed from each
 * finished line, whether in a URL, a message, a stack or the bindings of a child logger.
 */
export function createLogger(options: {
  level: Config['logging']['level'];
  destination?: DestinationStream;
}): Logger {
  return pino(
    {
      level: options.level,
      // No process id or host name: the log collector knows where the lines come from.
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: toLine },
      redact: {
        paths: HEADER_PARENTS.flatMap((parent) => SECRET_HEADERS.map((header) => `${parent}["${header}"]`)),
        censor: '[redacted]',
      },
      // A credential has no character that JSON escapes, so the line stays valid JSON.
      hooks: { streamWrite: redactCredentials },
    },
    options.destination ?? openOutput(),
  );
}

/** Written at once by a pipe, so that lines of two outputs do not mix (POSIX, PIPE_BUF). */
const ATOMIC_BYTES = 4096;
/** How long the last lines may take when the service stops. */
const LAST_LINES_MS = 500;
const REPORT_EVERY_MS = 60_000;

/** An output that does not hold the thread that writes to it. */
export interface BackgroundOutput extends DestinationStream {
  /** Resolves when all lines are written, or when that takes too long. */
  close(): Promise<void>;
}

/**
 * Opens standard output for lines that must not delay requests: they are written by the thread pool. Lines that do not fit
 * into the buffer are dropped, and `logger` reports how many.
 */
export function openBackgroundOutput(logger: Logger): BackgroundOutput {
  const output = pino.destination({
    dest: 1,
    sync: false,
    maxWrite: ATOMIC_BYTES,
    maxLength: MAX_WAITING_BYTES,
  });
  const dropped = { lines: 0, reportedAtMs: Number.NEGATIVE_INFINITY };
  const report = () => {
    if (dropped.lines > 0) logger.warn({ lines: dropped.lines }, 'access log lines dropped');
    Object.assign(dropped, { lines: 0, reportedAtMs: performance.now() });
  };
  output.on('error', () => undefined);
  let isWritten = true;
  output.on('drain', () => {
    isWritten = true;
  });
  output.on('drop', () => {
    dropped.lines += 1;
    if (performance.now() - dropped.reportedAtMs >= REPORT_EVERY_MS) report();
  });
  output.flushSync = () => undefined;
  return {
    write(line) {
      isWritten = false;
      output.write(line);
    },
    async close() {
      // Not `flush`, which does not wait for an output that has no minimum length.
      const written = isWritten || new Promise((resolve) => output.once('drain', resolve));
      await Promise.race([written, pause(LAST_LINES_MS, undefined, { ref: false })]);
      report();
    },
  };
}

/** Lines that wait while standard output cannot be written. Beyond it, lines are dropped. */
const MAX_WAITING_BYTES = 1024 * 1024;

/**
 * Opens standard output. A log that cannot be written, because its terminal was closed or its disk is full, must not stop
 * the service: by default, the flush at exit is repeated without limit, and the process does not end.
 */
function openOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, maxLength: MAX_WAITING_BYTES });
  output.on('error', () => undefined);
  // Each line is written at once; what is left could not be written.
  output.flushSync = () => undefined;
  return output;
}
