import { writeFileSync } from 'node:fs';
import { createServer as createHttp, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { newFolder } from '@tps/testing/fixture';
import { createTestAuthority, issueSelfSigned } from '@tps/testing/network';
import { createTpsUser } from '@tps/testing/tps';
import { afterAll, expect, onTestFinished, test } from 'vitest';

const authority = createTestAuthority();
const stranger = createTestAuthority();
afterAll(() => {
  for (const one of [authority, stranger]) one.remove();
});

const https = (pair: { key: string; cert: string }) => createHttps(pair);

test.each<[string, () => Server, string]>([
  ['an unknown authority', () => https(stranger.issue()), 'an authority that this machine does not know'],
  ['no authority', () => https(issueSelfSigned()), 'an authority that this machine does not know'],
  ['an expired certificate', () => https(authority.issue({ days: -1 })), 'its certificate has expired'],
  ['another name', () => https(authority.issue({ names: 'DNS:hooks.test' })), 'another host name'],
  ['plain HTTP', () => createHttp(), 'it speaks plain HTTP'],
])('tps names the cause when the service has %s', async (_title, create, cause) => {
  const server = create();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const ca = join(newFolder(), 'ca.pem');
  writeFileSync(ca, authority.ca);
  const env = {
    TPS_URL: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    TPS_CREDENTIAL: `svc_live_${'0'.repeat(39)}`,
    NODE_EXTRA_CA_CERTS: ca,
  };
  const { code, stderr } = await createTpsUser().spawn(['status'], { env });
  expect(stderr).toContain(cause);
  expect(stderr).toMatch(/^tps: .* Run: tps doctor \(connection_failed\)\n$/);
  expect(code).toBe(5);
});
