import { useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';
import { createClient, tokenRequest } from '../provider/testing/oauth-requests.ts';

const running = useTestService();
const IS_SHARED = process.env.TEST_STORE === 'postgres';

test.each<[string, 'DELETE' | 'PATCH']>([
  ['is deleted', 'DELETE'],
  ['loses a scope', 'PATCH'],
])('a token that is requested while its client %s does not outlive the change', async (_what, method) => {
  const node = IS_SHARED ? await running.startNode() : undefined;
  const nodes = [running, node ?? running];
  try {
    const client = await createClient(running, { scopes: ['status:read', 'events:read'] });
    const path = `/oauth-clients/${client.clientId}`;
    const body = method === 'PATCH' ? { body: { scopes: ['events:read'] } } : {};
    const ask = (index: number) =>
      tokenRequest(nodes[index % 2] ?? running, client, {
        grant_type: 'client_credentials',
        scope: 'status:read',
      });
    const { body: first } = await ask(0);
    const asked = Array.from({ length: 24 }, (_, index) => ask(index));
    const changed = await running.client.send(method, path, {
      credential: running.tenant.credential,
      ...body,
    });
    expect(changed.status, changed.text).toBeLessThan(300);
    const issued = [first, ...(await Promise.all(asked)).map((answer) => answer.body)];
    const tokens = issued.flatMap(({ access_token: token }) => (typeof token === 'string' ? [token] : []));
    expect(tokens.length).toBeGreaterThan(0);
    for (const { baseUrl } of nodes) {
      for (const token of tokens) {
        const headers = { authorization: `Bearer ${token}` };
        expect((await fetch(`${baseUrl}/status`, { headers })).status).toBe(401);
      }
    }
    expect((await ask(1)).status).toBeGreaterThanOrEqual(400);
  } finally {
    await node?.stop();
  }
});
