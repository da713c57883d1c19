import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMemoryEventIdStore, nodeWebhookListener, type VerifiedWebhook } from '@tps/client';

/** A customer's server: verifies what it is sent with the client, and notes each event once. */
export interface WebhookReceiver {
  readonly url: string;
  /** Events by id, as they came. */
  readonly events: ReadonlyMap<string, VerifiedWebhook['event']>;
  /** How many deliveries were refused because they did not verify. */
  readonly failures: number;
  /** While it is out of order, it answers 503 to everything. */
  isOutOfOrder: boolean;
  close(): Promise<void>;
}

export async function startReceiver(secret: string): Promise<WebhookReceiver> {
  const events = new Map<string, VerifiedWebhook['event']>();
  let failures = 0;
  const listener = nodeWebhookListener({
    secrets: [secret],
    store: createMemoryEventIdStore(),
    onEvent: ({ eventId, event }) => void events.set(eventId, event),
    onError: (error) => console.error(error),
  });
  const server = createServer(async (request, response) => {
    if (receiver.isOutOfOrder) response.writeHead(503).end();
    else await listener(request, response);
    if (response.statusCode >= 400 && !receiver.isOutOfOrder) failures += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    events,
    get failures() {
      return failures;
    },
    isOutOfOrder: false,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
  return receiver;
}
