import type { CommandContext } from '../command-context.ts';
import { sanitizeLine } from './sanitize.ts';

/**
 * Creates a listener for a command that retries after failures. It prints the reason at the first failure in a row, and
 * when the reason changes.
 */
export function createOutageReport({ stderr }: CommandContext): (error: unknown, failed: number) => void {
  let last: string | undefined;
  return (error, failed) => {
    const message = sanitizeLine(error instanceof Error ? error.message : String(error));
    if (failed > 1 && message === last) return;
    last = message;
    void stderr.write(`tps: ${message} Retrying.\n`).catch(() => undefined);
  };
}
