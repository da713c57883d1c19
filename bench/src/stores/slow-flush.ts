import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('slow-flush.c', import.meta.url));

/** The environment of a process whose flushes take longer. */
export interface SlowFlush {
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

/** Compiles the library that delays flushes. Returns undefined on a machine without a C compiler. */
export function compileSlowFlush(flushMs: number): SlowFlush | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'tps-slow-flush-'));
  const library = join(directory, 'slow-flush.so');
  const remove = () => rmSync(directory, { recursive: true, force: true });
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, SOURCE, '-ldl'], { stdio: 'pipe' });
  } catch (error) {
    remove();
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  // PostgreSQL runs under another account.
  chmodSync(directory, 0o755);
  chmodSync(library, 0o755);
  return { env: { LD_PRELOAD: library, SLOW_FLUSH_MS: String(flushMs) }, remove };
}
