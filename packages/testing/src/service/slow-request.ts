import { once } from 'node:events';
import { type IncomingMessage, request as openRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestService, TestTenant } from './test-service.ts';

export interface SlowAnswer {
  readonly status: number;
  readonly text: string;
}

/** A request whose head the service has admitted and whose body it still waits for. */
export interface SlowRequest {
  /** Sends the body. */
  finish(): Promise<SlowAnswer>;
}

/** Sends the head of a request and resolves once the service has admitted it. */
export async function sendHead(
  service: TestService,
  wanted: {
    method: string;
    path: string;
    credential: string;
    body: string;
    headers?: Readonly<Record<string, string>>;
  },
): Promise<SlowRequest> {
  const { method, path, credential, body, headers } = wanted;
  const admissions = await watchAdmissions(service, credential);
  const outgoing = openRequest(`${service.baseUrl}${path}`, {
    method,
    agent: false,
    headers: {
      ...headers,
      authorization: `Bearer ${credential}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  outgoing.flushHeaders();
  await admissions.admitted(1);
  return {
    async finish() {
      outgoing.end(body);
      const [answer] = await answered;
      return { status: answer.statusCode ?? 0, text: await text(answer) };
    },
  };
}

/** Counts the requests of a credential that are admitted from now on, by its rate limit. */
export async function watchAdmissions(
  service: TestService,
  credential: string,
): Promise<{ /** Resolves when so many more were admitted. */ admitted(requests: number): Promise<void> }> {
  const probe = async () => {
    const answer = await service.client.send('GET', '/status', { credential });
    return Number(answer.headers.get('x-ratelimit-remaining'));
  };
  const atFirst = await probe();
  return {
    async admitted(requests) {
      for (let probes = 1; atFirst - (await probe()) < probes + requests; ) probes += 1;
    },
  };
}

/** Sends the heads of requests at once on one new connection, and resolves when they are sent. Reads no response. */
export async function openPipeline(
  { baseUrl }: TestService,
  { credential }: TestTenant,
  requests: readonly { method?: string; path: string; headers?: Readonly<Record<string, string>> }[],
): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  const heads = requests.map(({ method = 'GET', path, headers = {} }) => {
    const all = { host: 'x', authorization: `Bearer ${credential}`, 'content-type': 'application/json' };
    const lines = Object.entries({ ...all, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.write(heads.join(''), () => resolve());
  });
  return socket;
}
