import type { CommandContext } from './command-context.ts';

const EVERY_MS = 2_000;

/** Makes something that tells a line to whoever waits, now and then. */
export function reportNowAndThen(stderr: CommandContext['stderr']): (line: string) => void {
  let reportedAtMs = performance.now();
  return (line) => {
    if (performance.now() - reportedAtMs < EVERY_MS) return;
    reportedAtMs = performance.now();
    stderr(line);
  };
}
