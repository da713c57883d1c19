import type { Writable } from 'node:stream';

/** Where text goes. */
export interface Output {
  /** A person looks at it, rather than a file or a program. */
  readonly isTerminal: boolean;
  /** Characters in a line; undefined when it is no terminal. */
  readonly columns: number | undefined;
  /**
   * Writes, and resolves once the reader's end has taken it, so that a slow reader holds up the writer, no memory fills,
   * and what comes after it (noting how far an export has come) never counts what was not taken.
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
  stream.on('error', (error) => {
    failure = toFailure(error);
  });
  return {
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.isTTY ? (stream.columns ?? 80) : undefined;
    },
    async write(text) {
      if (failure) throw failure;
      await new Promise<void>((resolve, reject) => {
        stream.write(text, (error) => (error ? reject(failure ?? toFailure(error)) : resolve()));
      });
    },
  };
}

function toFailure(error: NodeJS.ErrnoException): Error {
  return error.code === 'EPIPE' ? new ClosedOutputError() : error;
}
