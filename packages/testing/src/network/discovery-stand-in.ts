import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface DiscoveryStandIn {
  readonly issuer: string;
  close(): Promise<void>;
}

/** Starts a server that publishes the discovery document of an OpenID provider, and nothing else. */
export async function startDiscoveryStandIn(): Promise<DiscoveryStandIn> {
  const server = createServer((request, response) => {
    const issuer = `http://${request.headers.host}`;
    const document = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
    const isKnown = request.url === '/.well-known/openid-configuration';
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isKnown ? document : {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It must not keep a test process alive.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    issuer: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
