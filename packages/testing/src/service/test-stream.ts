import { request as openRequest } from 'node:http';
import { waitUntil } from '../time/wait-until.ts';

/** A message as it was received. */
export interface ReceivedMessage {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string | undefined;
}

/** A connection that receives a stream of messages. */
export interface TestStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Everything received so far. */
  text(): string;
  messages(): readonly ReceivedMessage[];
  /** The ids of the events received so far. */
  eventIds(): string[];
  /** The last id. */
  lastId(): string | undefined;
  /** Stops taking bytes, like a reader that hangs. */
  pause(): void;
  resume(): void;
  isClosed(): boolean;
  /** Resolves when the service has ended the stream. */
  ended(): Promise<void>;
  close(): void;
}

/** Opens a stream on a new connection, and resolves with the first bytes. */
export function openTestStream(
  { baseUrl }: { baseUrl: string },
  wanted: { path: string; credential: string; headers?: Readonly<Record<string, string>> },
): Promise<TestStream> {
  const { path, credential, headers = {} } = wanted;
  return new Promise((resolve, reject) => {
    let text = '';
    let isClosed = false;
    const outgoing = openRequest(`${baseUrl}${path}`, {
      agent: false,
      headers: { authorization: `Bearer ${credential}`, ...headers },
    });
    outgoing.once('error', reject);
    outgoing.once('response', (answer) => {
      const messages: ReceivedMessage[] = [];
      let partial = '';
      const stream: TestStream = {
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        text: () => text,
        messages: () => messages,
        eventIds: () =>
          messages
            .filter(({ event }) => event === 'risk.event.created')
            .map(({ data }) => (JSON.parse(data ?? '') as { event_id: string }).event_id),
        lastId: () => messages.findLast(({ id }) => id !== undefined)?.id,
        pause: () => void answer.pause(),
        resume: () => void answer.resume(),
        isClosed: () => isClosed,
        ended: () => waitUntil(() => isClosed),
        close: () => void outgoing.destroy(),
      };
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => {
        text += part;
        const blocks = (partial + part).split('\n\n');
        partial = blocks.pop() ?? '';
        messages.push(...blocks.map(parseMessage));
        resolve(stream);
      });
      answer.on('error', () => undefined);
      answer.on('close', () => {
        isClosed = true;
        resolve(stream);
      });
    });
    outgoing.end();
  });
}

function parseMessage(block: string): ReceivedMessage {
  const member = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  return { id: member('id'), event: member('event'), data: member('data') };
}
