import { createMemoryEventIdStore, fastifyWebhookPlugin } from '@tps/client';
import { fastify } from 'fastify';
import { readSettings } from './read-settings.ts';

const { secrets, port } = readSettings();
const app = fastify();

await app.register(
  fastifyWebhookPlugin({
    path: '/webhooks',
    secrets,
    store: createMemoryEventIdStore(),
    onEvent: ({ event }) => console.log(`${event.event_id}: ${event.severity} ${event.threat_category}`),
    onError: (error) => console.error(error),
  }),
);

const url = await app.listen({ port, host: '127.0.0.1' });
console.log(`listening on ${url}/webhooks`);

// Stops accepting connections, completes the deliveries in progress, and ends.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => app.close());
