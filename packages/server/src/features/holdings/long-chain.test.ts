import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import pg from 'pg';
import { expect, test } from 'vitest';
import { HoldingScenes, type Scene } from './testing/holding-scenes.ts';

const service = useTestService({ env: WEBHOOK_ENV });
const scenes = new HoldingScenes(service);

/** Creates tokens, each of which was made by the one before, and the first by the person. Returns the last one. */
async function createChain(scene: Scene, length: number): Promise<string> {
  const { tenantId: tenant_id } = scene.tenant;
  const first = await scenes.createToken(await scenes.console(scene));
  const last = await scenes.createToken(first);
  const { database } = service.service;
  const tokens = await database.read.db
    .selectFrom('tokens')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('name', '=', 'made')
    .orderBy('token_id')
    .execute();
  const [start, end] = tokens;
  if (!start || !end) throw new Error('the tokens are not there');
  const ids = Array.from({ length }, (_, at) => `${start.token_id}${String(at).padStart(5, '0')}`);
  await database.transaction(async (tx) => {
    const rows = ids.map((token_id) => ({ ...start, token_id, token_hash: `hash of ${token_id}` }));
    await tx.insertMany('tokens', rows);
    const made = [...ids, end.token_id].map((holding_id, at) => {
      const key = { tenant_id, kind: 'token', holding_id };
      return { ...key, owner_id: ids[at - 1] ?? start.token_id, via_client_id: null, owned_since: 1 };
    });
    await tx.upsertMany('holdings', ['tenant_id', 'kind', 'holding_id'], made);
  });
  return last;
}

/** Returns how many statements PostgreSQL gets while something is done. */
async function countStatements(act: () => Promise<unknown>): Promise<number> {
  const { query } = pg.Client.prototype;
  let count = 0;
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    count += 1;
    return Reflect.apply(query, this, args);
  } as typeof query;
  await act().finally(() => {
    pg.Client.prototype.query = query;
  });
  return count;
}

test('a chain of tokens ends with the person who has made the first one, however long it is', async () => {
  const scene = await scenes.open();
  const last = await createChain(scene, 400);
  expect(await scenes.isAccepted(last)).toBe(true);
  await scenes.remove(scene);
  expect(await scenes.isAccepted(last)).toBe(false);
});

test.runIf(process.env.TEST_STORE === 'postgres')(
  'the end of a long chain takes about as many statements as that of a short one',
  async () => {
    const counts: number[] = [];
    for (const length of [2, 200]) {
      const scene = await scenes.open();
      await createChain(scene, length);
      counts.push(await countStatements(() => scenes.remove(scene)));
    }
    const [short = 0, long = 0] = counts;
    expect(short).toBeGreaterThan(0);
    expect(long - short).toBeLessThan(40);
  },
);

test('of a person with a long chain, the list of holdings has all of it', async () => {
  const scene = await scenes.open();
  await createChain(scene, 30);
  const query = `?owner_id=${scene.person.accountId}&limit=100`;
  const { body } = await scenes.send(scene.tenant.credential, 'GET', `/holdings${query}`);
  expect(body.data).toHaveLength(32);
});
