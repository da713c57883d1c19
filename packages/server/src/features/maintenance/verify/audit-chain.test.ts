import { useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { beforeEach, expect, test } from 'vitest';
import type { Queries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import {
  auditHeadStore,
  auditStore,
  COMMAND_LINE,
  firstAuditHash,
  nextAuditHash,
} from '../../audit/index.ts';
import { TenantDeletion } from '../../tenants/index.ts';
import { TenantService } from '../../tenants/tenant-service.ts';
import { purgeExpiredData } from '../retention/purge-expired-data.ts';
import { formatCheckpoint, parseCheckpoints } from './checkpoint.ts';
import { verifyStore } from './verify-store.ts';

const DAY_MS = 86_400_000;
const RETENTION = { eventDays: 90, derivedDays: 90, jobDays: 90, auditDays: 30 };

const clock = new ManualClock();
let tenantId: TenantId;

const store = useTestDatabase({ scope: 'test' });

beforeEach(async () => {
  const tenants = new TenantService({ database: store.database, clock });
  const wanted = { name: 'one', environment: 'test' } as const;
  ({ tenantId } = await store.database.transaction((tx) => tenants.create(tx, wanted)));
});

function append(detail: string): Promise<void> {
  return store.database.transaction((tx) =>
    auditStore.append(
      tx,
      {
        tenantId,
        actor: COMMAND_LINE,
        action: 'test.done',
        resource: { type: 'test', id: detail },
        outcome: 'success',
        requestId: null,
        detail,
        fields: { detail },
      },
      clock.now(),
    ),
  );
}

function purgeAudit() {
  const actor = COMMAND_LINE;
  return purgeExpiredData({ database: store.database, clock, config: RETENTION, actor, dryRun: false });
}

const verify = () => verifyStore(store.url, { clock });

function change(work: (db: Queries['db']) => { execute(): Promise<unknown> }): Promise<void> {
  return store.database.transaction(async (tx) => {
    await work(tx.db).execute();
  });
}

test('entries that are appended at the same time form one chain without gaps', async () => {
  await Promise.all(Array.from({ length: 30 }, (_, index) => append(`entry ${index}`)));
  const { problems, checks } = await verify();
  expect(problems).toEqual([]);
  expect(checks['audit entries']).toEqual({ checked: 31, skipped: {}, problems: [] });
});

test('times never decrease along the chain, even if the clock does', async () => {
  await append('first');
  clock.advance(-60_000);
  await append('second');
  clock.advance(60_000);
  const rows = await store.database.read.db
    .selectFrom('audit_entries')
    .select(['occurred_at', 'position'])
    .where('tenant_id', '=', tenantId)
    .orderBy('audit_id')
    .execute();
  expect(rows.map((row) => row.position)).toEqual([1, 2, 3]);
  expect(rows[2]?.occurred_at).toBe(rows[1]?.occurred_at);
});

test('a chain whose beginning was purged by retention is sound', async () => {
  for (let index = 0; index < 3; index += 1) await append(`old ${index}`);
  clock.advance(31 * DAY_MS);
  await append('new');
  await purgeAudit();
  const head = await auditHeadStore.read(store.database.read, tenantId);
  expect(head).toMatchObject({ purgedPosition: 4, position: 6 });
  expect((await verify()).problems).toEqual([]);
  await change((db) => db.deleteFrom('audit_entries').where('position', '=', 5));
  expect((await verify()).problems).toEqual([
    `audit log of ${tenantId}: audit entry 6 follows 4: entries are missing in between`,
  ]);
});

test('a missing beginning that retention did not purge is reported', async () => {
  await append('first');
  await change((db) =>
    db.deleteFrom('audit_entries').where('tenant_id', '=', tenantId).where('position', '=', 1),
  );
  expect((await verify()).problems).toEqual([
    `audit log of ${tenantId}: the first audit entry is 2: entries are missing before it`,
  ]);
});

test('entries from before the chain are counted; later ones outside of it are reported', async () => {
  await append('first');
  const [known] = await store.database.read.db
    .selectFrom('audit_entries')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .limit(1)
    .execute();
  if (!known) throw new Error('there is no entry');
  const outside = { ...known, audit_id: 'aud_0', position: null, chain_hash: null };
  await change((db) => db.insertInto('audit_entries').values(outside));
  const { problems, checks } = await verify();
  expect(problems).toEqual([]);
  expect(checks['audit entries']?.skipped).toEqual({ 'from before the chain': 1 });
  await change((db) =>
    db
      .updateTable('audit_entries')
      .set({ occurred_at: clock.now() + 2 * DAY_MS })
      .where('audit_id', '=', 'aud_0'),
  );
  expect((await verify()).problems).toEqual([
    `audit log of ${tenantId}: an audit entry from after the beginning of the chain is not in it`,
  ]);
});

test('a chain that was rewritten as a whole is found only with a checkpoint', async () => {
  await append('the truth');
  const before = await verify();
  const expected = parseCheckpoints(before.checkpoints.map(formatCheckpoint).join('\n'));
  expect(expected).toEqual(before.checkpoints);
  await append('more');
  expect((await verifyStore(store.url, { clock, expected })).problems).toEqual([]);

  await rewriteChain();
  expect((await verify()).problems).toEqual([]);
  expect((await verifyStore(store.url, { clock, expected })).problems).toEqual([
    `audit log of ${tenantId}: chain differs from the checkpoint at position 2: it was rewritten`,
  ]);
  await change((db) => db.deleteFrom('audit_entries').where('tenant_id', '=', tenantId));
  await change((db) => db.deleteFrom('audit_heads').where('tenant_id', '=', tenantId));
  expect((await verifyStore(store.url, { clock, expected })).problems).toEqual([
    `audit log of ${tenantId}: chain does not reach position 2 of the checkpoint`,
  ]);
});

test('each of several checkpoints of one tenant is required', async () => {
  await append('first');
  const { checkpoints: early } = await verify();
  await append('the truth');
  const { checkpoints: late } = await verify();
  const expected = [...early, ...late];
  expect((await verifyStore(store.url, { clock, expected })).problems).toEqual([]);
  await rewriteChain();
  expect((await verifyStore(store.url, { clock, expected })).problems).toEqual([
    `audit log of ${tenantId}: chain differs from the checkpoint at position 3: it was rewritten`,
  ]);
});

test('a line of a checkpoint that was cut or altered is not passed over', async () => {
  await append('first');
  const lines = (await verify()).checkpoints.map(formatCheckpoint);
  const [whole = ''] = lines;
  for (const damaged of [whole.slice(0, -1), `${whole} more`, `checkpoint ${tenantId}`]) {
    expect(() => parseCheckpoints([...lines, damaged].join('\n'))).toThrow(/line 2 /);
  }
  expect(parseCheckpoints(['sound: 1 tenants', ...lines, ''].join('\n'))).toHaveLength(1);
});

test('a checkpoint from before what is kept is counted as not compared', async () => {
  await append('purged');
  const { checkpoints: purged } = await verify();
  await append('last purged');
  const { checkpoints: last } = await verify();
  clock.advance(31 * DAY_MS);
  await append('kept');
  await purgeAudit();
  const counted = (count: number) => ({ 'points of the checkpoint, which are not kept': count });
  const before = await verifyStore(store.url, { clock, expected: purged });
  expect(before.problems).toEqual([]);
  expect(before.checks['audit entries']?.skipped).toEqual(counted(1));
  const at = await verifyStore(store.url, { clock, expected: last });
  expect([at.problems, at.checks['audit entries']?.skipped]).toEqual([[], {}]);

  // Anyone who rewrites the whole chain can mark its beginning as purged.
  const forged = last.map((each) => ({
    ...each,
    audit: each.audit && { ...each.audit, hash: '0'.repeat(64) },
  }));
  expect((await verifyStore(store.url, { clock, expected: forged })).problems).toEqual([
    `audit log of ${tenantId}: chain differs from the checkpoint at position 3: it was rewritten`,
  ]);
});

/** Replaces the text of an entry and recomputes all hashes, like someone who can write the whole store. */
async function rewriteChain(): Promise<void> {
  await store.database.transaction(async (tx) => {
    const own = tx.db.selectFrom('audit_entries').selectAll().where('tenant_id', '=', tenantId);
    const head = await auditHeadStore.read(tx, tenantId);
    let chainHash = firstAuditHash(tenantId, head?.startedAtMs ?? 0);
    for (const row of await own.orderBy('position').execute()) {
      const { chain_hash: _, ...columns } = row;
      const detail = row.detail === 'the truth' ? 'a lie' : row.detail;
      chainHash = nextAuditHash(chainHash, { ...columns, detail, position: row.position ?? 0 });
      await tx.db
        .updateTable('audit_entries')
        .set({ detail, chain_hash: chainHash })
        .where('tenant_id', '=', tenantId)
        .where('position', '=', row.position)
        .execute();
    }
    await tx.db
      .updateTable('audit_heads')
      .set({ chain_hash: chainHash })
      .where('tenant_id', '=', tenantId)
      .execute();
  });
}

test('a tenant that is due for deletion is not reported', async () => {
  await append('first');
  await new TenantDeletion({ database: store.database, clock }).begin(tenantId, 0.5);
  clock.advance(DAY_MS);
  await change((db) => db.deleteFrom('audit_entries').where('tenant_id', '=', tenantId));
  expect((await verify()).problems).toEqual([]);
});
