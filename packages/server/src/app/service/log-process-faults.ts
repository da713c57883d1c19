import type { Logger } from '../../platform/logger.ts';

/** Logs warnings and uncaught exceptions of Node.js as JSON, which it would print as text. The latter end the process. */
export function logProcessFaults(logger: Logger): void {
  process.on('uncaughtException', (error, origin) => {
    logger.fatal({ err: error, origin }, 'uncaught exception');
    process.exit(1);
  });
  // Without Node's listener, warnings are switched off.
  if (process.listenerCount('warning') === 0) return;
  process.removeAllListeners('warning');
  process.on('warning', (warning: Error & { code?: string }) => {
    if (!isDisabled(warning)) logger.warn({ err: warning }, 'warning of Node.js');
  });
}

/** Node's own listener reads the option. */
function isDisabled({ name, code }: { readonly name: string; readonly code?: string }): boolean {
  return process.execArgv.some(
    (option) => option === `--disable-warning=${name}` || option === `--disable-warning=${code}`,
  );
}
