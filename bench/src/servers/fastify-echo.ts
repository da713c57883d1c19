import { Event, NewScan, toPlainSchema } from '@tps/contract';
import Fastify from 'fastify';
import { serveCalls } from '../process-calls.ts';

const SCHEMAS = { event: Event, scan: NewScan } as const;

/** The cost of any service on this framework: a schema validates the body and serialises the answer. */
const calls = {
  listen(content: keyof typeof SCHEMAS) {
    const app = Fastify({ logger: false, ajv: { customOptions: { strict: false } } });
    const schema = toPlainSchema(SCHEMAS[content]);
    app.post(
      '/echo',
      { schema: { body: schema, response: { 200: schema } } },
      async (request) => request.body,
    );
    return app.listen({ host: '127.0.0.1', port: 0 });
  },
};
export type FastifyEchoCalls = typeof calls;

serveCalls(calls);
