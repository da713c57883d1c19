import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HOSTILE_TEXTS } from './texts.ts';

/** Two receivers of webhooks on this machine: one that works and one that always fails. */
export interface PopulationReceivers {
  readonly healthyUrl: string;
  readonly failingUrl: string;
  close(): Promise<void>;
}

/** Answers 204 below `/soc` and a hostile error page everywhere else. */
export async function startReceivers(): Promise<PopulationReceivers> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.url?.startsWith('/soc')) return response.writeHead(204).end();
      const page = `<html><body><h1>502 Bad Gateway</h1>${HOSTILE_TEXTS[0]}</body></html>`;
      return response.writeHead(502, { 'content-type': 'text/html' }).end(page);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}`;
  return { healthyUrl: `${base}/soc/events`, failingUrl: `${base}/legacy-siem`, close: () => close(server) };
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(() => resolve()));
}
