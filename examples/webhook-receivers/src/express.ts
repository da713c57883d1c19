import type { AddressInfo } from 'node:net';
import { createMemoryEventIdStore, expressWebhookHandler } from '@tps/client';
import express from 'express';
import { readSettings } from './read-settings.ts';

const { secrets, port } = readSettings();
const app = express();

// Before express.json(), which would consume the signed bytes.
app.all(
  '/webhooks',
  expressWebhookHandler({
    secrets,
    store: createMemoryEventIdStore(),
    onEvent: ({ event }) => console.log(`${event.event_id}: ${event.severity} ${event.threat_category}`),
    onError: (error) => console.error(error),
  }),
);
app.use(express.json());

const server = app.listen(port, '127.0.0.1', () => {
  const address = server.address() as AddressInfo;
  console.log(`listening on http://127.0.0.1:${address.port}/webhooks`);
});

// Stops accepting connections, completes the deliveries in progress, and ends.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close());
