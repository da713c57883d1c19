import { testFetch, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { expect, test } from 'vitest';
import { HoldingScenes, PROGRAM, type Scene, WEBHOOK } from './testing/holding-scenes.ts';

const service = useTestService({ env: WEBHOOK_ENV });
const scenes = new HoldingScenes(service);
const IS_SHARED = process.env.TEST_STORE === 'postgres';
const ROUNDS = 6;

/** What each credential creates again and again, and where its status is. */
const WANTED = [
  { path: '/tokens', member: 'token_id', body: { name: 'made', scopes: ['status:read'] } },
  { path: '/oauth-clients', member: 'client_id', body: { ...PROGRAM, scopes: ['status:read'] } },
  { path: '/invitations', member: 'invitation_id', body: { role: 'admin' } },
  { path: '/webhooks', member: 'webhook_id', body: WEBHOOK },
];

async function post(baseUrl: string, credential: string, { path, member, body }: (typeof WANTED)[number]) {
  const response = await testFetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const made = (await response.json()) as Record<string, string>;
  return { status: response.status, at: `${path}/${made[member]}` };
}

async function isActing({ tenant }: Scene, at: string): Promise<boolean> {
  const { status, body } = await scenes.send(tenant.credential, 'GET', at);
  return status === 200 && !['revoked', 'disabled'].includes(body.status ?? '');
}

test.each<[string, (path: string, scene: Scene) => Promise<unknown>]>([
  ['is removed', (path, { tenant }) => scenes.send(tenant.credential, 'DELETE', path)],
  [
    'gets a role with fewer scopes',
    (path, { tenant }) => scenes.send(tenant.credential, 'PATCH', path, { role: 'viewer' }),
  ],
])('nothing is left of what programs create, on any node, while their person %s', async (_what, end) => {
  const node = IS_SHARED ? await service.startNode() : undefined;
  const nodes = [service.baseUrl, node?.baseUrl ?? service.baseUrl];
  try {
    const scene = await scenes.open();
    const console = await scenes.console(scene);
    const credentials = [console, await scenes.ownClient(scene), await scenes.createToken(console)];
    const requests = Array.from({ length: ROUNDS }, (_, round) =>
      credentials.flatMap((credential, index) =>
        WANTED.map((wanted) => post(nodes[(round + index) % 2] ?? '', credential, wanted)),
      ),
    ).flat();
    const [, ...answers] = await Promise.all([end(`/members/${scene.person.accountId}`, scene), ...requests]);
    expect(answers.filter(({ status }) => ![201, 401].includes(status))).toEqual([]);
    const made = answers.filter(({ status }) => status === 201);
    const left = [];
    for (const { at } of made) if (await isActing(scene, at)) left.push(at);
    expect(left).toEqual([]);
    // After the end, none of the credentials creates anything.
    for (const [index, credential] of credentials.entries()) {
      for (const wanted of WANTED) {
        expect((await post(nodes[index % 2] ?? '', credential, wanted)).status).toBe(401);
      }
    }
  } finally {
    await node?.stop();
  }
});
