import { statSync } from 'node:fs';

const EVERY_MS = 2000;

/**
 * Reports the size of a growing file every two seconds.
 * @returns a function that stops the reports
 */
export function reportGrowth(
  path: string,
  { expectedBytes, report }: { expectedBytes: number; report: (line: string) => void },
): () => void {
  const timer = setInterval(() => {
    const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    report(`copied ${formatBytes(bytes)} of about ${formatBytes(expectedBytes)}`);
  }, EVERY_MS);
  return () => clearInterval(timer);
}

/** Formats a size for people: `12.3 MB`. */
export function formatBytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
