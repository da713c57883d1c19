import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './config/config.ts';
import { redactCredentials } from './crypto/credentials.ts';

export type { Logger };

const SECRET_HEADERS = ['authorization', 'proxy-authorization', 'x-api-key', 'cookie', 'set-cookie'];

/** Every place where headers may occur: at the top level, in a request or response, in an object that wraps one. */
const HEADER_PARENTS = ['', 'headers', '*.headers'];

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

/** Lines that wait while standard output cannot be written. Beyond it, lines are dropped. */
const MAX_WAITING_BYTES = 1024 * 1024;

/**
 * Opens standard output. A log that cannot be written, because its terminal was closed or its disk is full, must not stop
 * the service: by default, the flush at exit tries again for ever and holds the process.
 */
function openOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, maxLength: MAX_WAITING_BYTES });
  output.on('error', () => undefined);
  // Each line is written at once; what is left could not be written.
  output.flushSync = () => undefined;
  return output;
}
