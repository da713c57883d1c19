import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMemoryEventIdStore, nodeWebhookListener } from '@tps/client';
import { readSettings } from './read-settings.ts';

const { secrets, port } = readSettings();

const receive = nodeWebhookListener({
  secrets,
  store: createMemoryEventIdStore(),
  onEvent: ({ event }) => console.log(`${event.event_id}: ${event.severity} ${event.threat_category}`),
  onError: (error) => console.error(error),
});

const server = createServer((request, response) => {
  if (request.url === '/webhooks') return receive(request, response);
  response.writeHead(404).end();
});
server.listen(port, '127.0.0.1', () => {
  const address = server.address() as AddressInfo;
  console.log(`listening on http://127.0.0.1:${address.port}/webhooks`);
});

// Stops accepting connections, completes the deliveries in progress, and ends.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close());
