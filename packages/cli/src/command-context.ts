import type { Readable } from 'node:stream';
import type { Output } from './output/output.ts';

/** What surrounds the program. Everything a command reads or writes goes through it, so that tests can hand in their own. */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Working directory: relative paths begin here. */
  readonly directory: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  /** Errors, prompts and progress: whatever is not the answer. */
  readonly stderr: Output;
  /**
   * Asks to end what runs on. Calling it takes over SIGINT, SIGTERM and SIGHUP: whoever waits for nothing but an answer
   * does not call it, and is ended at once.
   */
  stopSignal(): AbortSignal;
}
