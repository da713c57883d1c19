import type { CommandContext } from './command-context.ts';

const EVERY_MS = 2_000;

/** Returns a reporter that prints a line at most every two seconds. */
export function reportNowAndThen(stderr: CommandContext['stderr']): (line: string) => void {
  let reportedAtMs = performance.now();
  return (line) => {
    if (performance.now() - reportedAtMs < EVERY_MS) return;
    reportedAtMs = performance.now();
    stderr(line);
  };
}
