import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './config/config.ts';
import { scrubCredentials } from './crypto/credentials.ts';

export type { Logger };

const SECRET_HEADERS = ['authorization', 'proxy-authorization', 'x-api-key', 'cookie', 'set-cookie'];

/** Every place where headers may stand: on their own, in a request or answer, in what wraps one. */
const HEADER_PARENTS = ['', 'headers', '*.headers'];

/**
 * Makes a logger that writes one JSON object per line, to standard output unless told otherwise. It never writes a
 * credential: headers that carry one are redacted, and each finished line is scrubbed of whatever has the form of one,
 * be it in a URL, a message, a stack or the bindings of a child.
 */
export function createLogger(options: {
  level: Config['logging']['level'];
  destination?: DestinationStream;
}): Logger {
  return pino(
    {
      level: options.level,
      // Neither process id nor host name: whoever collects the lines knows where they come from.
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: HEADER_PARENTS.flatMap((parent) => SECRET_HEADERS.map((header) => `${parent}["${header}"]`)),
        censor: '[redacted]',
      },
      // The form of a credential has no character that JSON escapes, so the line stays JSON.
      hooks: { streamWrite: scrubCredentials },
    },
    options.destination ?? pino.destination(1),
  );
}
