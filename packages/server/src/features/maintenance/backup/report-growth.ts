import { statSync } from 'node:fs';

const EVERY_MS = 2000;

/**
 * Says every two seconds how far a file has grown.
 * @returns what ends it
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

/** Writes a size for a person: `12.3 MB`. */
export function formatBytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
