import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Where text goes. */
export interface Output {
  /** A person looks at it, rather than a file or a program. */
  readonly isTerminal: boolean;
  /** Characters in a line; undefined when it is no terminal. */
  readonly columns: number | undefined;
  /**
   * Writes, and resolves once there is room for more, so that a slow reader holds up the writer and no memory fills.
   * @throws ClosedOutputError when the reader is gone, as `head` is after ten lines
   */
  write(text: string): Promise<void>;
}

/** Nobody reads any more. The program ends quietly. */
export class ClosedOutputError extends Error {
  constructor() {
    super('nobody reads the output any more');
  }
}

/** Makes an output of a stream. */
export function toOutput(stream: Writable & { isTTY?: boolean; columns?: number }): Output {
  let failure: Error | undefined;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    failure = error.code === 'EPIPE' ? new ClosedOutputError() : error;
  });
  return {
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.isTTY ? (stream.columns ?? 80) : undefined;
    },
    async write(text) {
      if (failure) throw failure;
      if (stream.write(text)) return;
      await once(stream, 'drain').catch(() => undefined);
      if (failure) throw failure;
    },
  };
}
