import type { CommandContext } from './command-context.ts';
import { EXIT } from './output/exit-codes.ts';
import { toOutput } from './output/output.ts';

/** Gives what surrounds this process. */
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
  // The last one comes when the terminal is closed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // Whoever asks twice does not want to wait.
      if (stop.signal.aborted) process.exit(EXIT.interrupted);
      stop.abort();
    });
  }
  return stop;
}
