import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveCalls } from '../process-calls.ts';

/** The minimum of a JSON server in Node: it parses the body and returns it. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.from(JSON.stringify(JSON.parse(Buffer.concat(chunks).toString('utf8'))));
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
    });
    response.end(body);
  });
});

const calls = {
  listen: () =>
    new Promise<string>((resolve) => {
      server.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      );
    }),
};
export type NodeEchoCalls = typeof calls;

serveCalls(calls);
