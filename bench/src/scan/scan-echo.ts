import { NewScan, toPlainSchema } from '@tps/contract';
import Fastify from 'fastify';
import { serveCalls } from '../process-calls.ts';

/** What any service on this framework pays: the schema of a scan checks the body and serialises the answer. */
const app = Fastify({ logger: false, ajv: { customOptions: { strict: false } } });
const schema = toPlainSchema(NewScan);
app.post('/echo', { schema: { body: schema, response: { 200: schema } } }, async (request) => request.body);

const calls = { listen: () => app.listen({ host: '127.0.0.1', port: 0 }) };
export type ScanEchoCalls = typeof calls;

serveCalls(calls);
