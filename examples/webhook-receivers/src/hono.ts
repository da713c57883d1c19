import { serve } from '@hono/node-server';
import { createMemoryEventIdStore, honoWebhookHandler } from '@tps/client';
import { Hono } from 'hono';
import { readSettings } from './read-settings.ts';

const { secrets, port } = readSettings();
const app = new Hono();

app.all(
  '/webhooks',
  honoWebhookHandler({
    secrets,
    store: createMemoryEventIdStore(),
    onEvent: ({ event }) => console.log(`${event.event_id}: ${event.severity} ${event.threat_category}`),
    onError: (error) => console.error(error),
  }),
);

const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, (address) => {
  console.log(`listening on http://127.0.0.1:${address.port}/webhooks`);
});

// Stops accepting connections, completes the deliveries in progress, and ends.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close());
