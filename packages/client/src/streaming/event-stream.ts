import { UnexpectedAnswerError } from '../errors/transport-errors.ts';
import type { CallOptions } from '../http/connection.ts';
import type { OpenAnswer } from '../http/exchange.ts';
import { isOutage, outagePauseMs } from '../http/outage.ts';
import type { RetryRules } from '../http/retry.ts';
import { wait } from '../http/wait.ts';
import { readMessages, type StreamMessage } from './read-messages.ts';

/** Whether a stream receives events at the moment. */
export type StreamState = 'connected' | 'disconnected';

/** Options of a stream. */
export interface StreamOptions extends CallOptions {
  /** Where to start: the cursor of a page or of another stream with the same filters. Default: at the present end. */
  readonly cursor?: string | null | undefined;
  /**
   * Called when the stream is connected, and each time that it is not, with the reason. It connects again by itself until
   * `signal` is aborted. Without it, a refusal after the first connection is thrown, because otherwise the application would
   * not learn of it.
   */
  readonly onStateChange?: ((state: StreamState, reason?: unknown) => void) | undefined;
}

/** Items as they are stored, each once. A broken connection is restored where it ended. */
export interface ItemStream<Item> extends AsyncIterable<Item> {
  /**
   * Where to continue after everything yielded so far has been processed: pass it as `cursor` to a stream or a list with
   * the same filters. Set once the stream is connected.
   */
  readonly cursor: string | null;
}

/** Twice what the service leaves between two comments, and some. */
const SILENCE_MS = 40_000;
/** Pauses between attempts to connect. */
const OUTAGE: RetryRules = { baseDelayMs: 500, maxDelayMs: 15_000 };

export interface StreamSource {
  /** Connects once, after the cursor. */
  readonly open: (cursor: string | null) => Promise<OpenAnswer>;
  readonly cursor: string | null;
  readonly signals: readonly AbortSignal[];
  readonly onStateChange: StreamOptions['onStateChange'];
  /** The name of the messages that are items. */
  readonly itemName: string;
}

/** Creates a stream. Each iteration is a connection that begins where the one before ended. */
export function createItemStream<Item>(source: StreamSource): ItemStream<Item> {
  const { open, signals, onStateChange, itemName } = source;
  let { cursor } = source;
  const isAborted = () => signals.some(({ aborted }) => aborted);

  async function* connectOnce(onConnected: () => void): AsyncGenerator<Item, void, void> {
    const answer = await open(cursor);
    try {
      for await (const message of messagesOf(answer)) {
        if (message.event === 'ready') onConnected();
        cursor = message.id ?? cursor;
        if (message.event === itemName && message.data !== undefined) yield JSON.parse(message.data) as Item;
      }
    } finally {
      answer.close();
    }
  }

  async function* connectForever(): AsyncGenerator<Item, void, void> {
    let hasWorked = false;
    for (let failed = 1; !isAborted(); failed += 1) {
      let reason: unknown;
      try {
        yield* connectOnce(() => {
          failed = 0;
          hasWorked = true;
          onStateChange?.('connected');
        });
      } catch (error) {
        if (isAborted()) return;
        if (!isOutage(error, hasWorked, onStateChange !== undefined)) throw error;
        reason = error;
      }
      if (isAborted()) return;
      onStateChange?.('disconnected', reason);
      await wait(outagePauseMs(reason, failed + 1, OUTAGE), signals).catch(() => undefined);
    }
  }

  return {
    get cursor() {
      return cursor;
    },
    [Symbol.asyncIterator]: connectForever,
  };
}

function messagesOf({ headers, body }: OpenAnswer): AsyncGenerator<StreamMessage, void, void> {
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (isStream && body !== null) return readMessages(body, SILENCE_MS);
  throw new UnexpectedAnswerError('answer_not_understood', 'The answer is not a stream of messages.');
}
