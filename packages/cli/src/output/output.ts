import type { Writable } from 'node:stream';

/** A destination of text. */
export interface Output {
  /** Whether a person reads it, rather than a file or a program. */
  readonly isTerminal: boolean;
  /** Characters per line; undefined when it is not a terminal. */
  readonly columns: number | undefined;
  /**
   * Writes, and resolves when the stream has accepted the text. A slow reader thus slows down the writer, and memory stays
   * bounded. That the reader has processed the text is not known.
   * @throws ClosedOutputError when the reader has closed the stream, as `head` does after ten lines
   */
  write(text: string): Promise<void>;
}

/** The reader of the output is gone. The program ends quietly. */
export class ClosedOutputError extends Error {
  constructor() {
    super('the reader of the output is gone');
  }
}

/** Wraps a stream. */
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
