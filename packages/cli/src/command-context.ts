import type { Readable } from 'node:stream';
import type { Output } from './output/output.ts';

/** Everything a command reads and writes goes through this. */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Working directory, which relative paths are resolved against. */
  readonly directory: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  /** Errors, prompts and progress: everything except the output itself. */
  readonly stderr: Output;
  /**
   * Signal that asks a long-running command to stop. Calling this takes over SIGINT, SIGTERM and SIGHUP; a command that
   * does not call it ends at once.
   */
  stopSignal(): AbortSignal;
}
