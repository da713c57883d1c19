import { ConnectionError, TimeoutError, UnexpectedAnswerError } from '../errors/transport-errors.ts';

/** A message of a stream of server-sent events. */
export interface StreamMessage {
  /** The last id so far; undefined before the first. */
  readonly id: string | undefined;
  /** The name; `message` if it has none. */
  readonly event: string;
  /** Undefined for an id or a comment without a message. */
  readonly data: string | undefined;
}

/** The longest message, in characters. The largest event has a tenth of it. */
const MAX_MESSAGE_LENGTH = 1_048_576;

/**
 * Reads the messages of a stream (HTML standard, section 9.2.6), until it ends.
 *
 * @throws TimeoutError when nothing arrives for `silenceMs`; ConnectionError when the connection breaks;
 *   UnexpectedAnswerError for a message without an end
 */
export async function* readMessages(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
): AsyncGenerator<StreamMessage, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffered = '';
  let id: string | undefined;
  try {
    for (;;) {
      const { done, value } = await readWithin(reader, silenceMs);
      if (done) return;
      buffered += decoder.decode(value, { stream: true });
      const blocks = buffered.split(/\r\n\r\n|\n\n|\r\r/);
      buffered = blocks.pop() ?? '';
      for (const block of blocks) {
        const message = parseMessage(block, id);
        id = message.id;
        yield message;
      }
      if (buffered.length > MAX_MESSAGE_LENGTH) {
        throw new UnexpectedAnswerError('answer_too_large', 'A message of the stream has no end.');
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseMessage(block: string, lastId: string | undefined): StreamMessage {
  let [id, event] = [lastId, 'message'];
  const data: string[] = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'id') id = value;
    else if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
  }
  return { id, event, data: data.length === 0 ? undefined : data.join('\n') };
}

async function readWithin(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  silenceMs: number,
): Promise<Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(`Nothing arrived for ${silenceMs} ms.`)), silenceMs);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } catch (error) {
    if (error instanceof TimeoutError) throw error;
    throw new ConnectionError('The stream broke off.', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
