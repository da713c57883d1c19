import type { CommandContext } from './command-context.ts';
import { EXIT } from './output/exit-codes.ts';
import { toOutput } from './output/output.ts';

/** Returns the context of this process. */
export function processContext(): CommandContext {
  let stop: AbortController | undefined;
  return {
    env: process.env,
    directory: process.cwd(),
    stdin: process.stdin,
    stdout: toOutput(process.stdout),
    stderr: toOutput(process.stderr),
    stopSignal() {
      stop ??= abortOnSignal();
      return stop.signal;
    },
  };
}

function abortOnSignal(): AbortController {
  const stop = new AbortController();
  // SIGHUP is sent when the terminal is closed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // A second signal ends the process at once.
      if (stop.signal.aborted) process.exit(EXIT.interrupted);
      stop.abort();
    });
  }
  return stop;
}
