import type { AuditEntry, IndicatorImportResult, IndicatorSource, ThreatIndicator } from '@tps/contract';
import { useFixture } from '@tps/testing/fixture';
import { type TestAnswer, type TestTenant, useTestService } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';
import { auditStore, COMMAND_LINE } from '../audit/index.ts';
import { toKeyedIndicators } from './indicator-import.ts';
import { IndicatorService } from './indicator-service.ts';
import * as indicatorStore from './indicator-store.ts';
import { purgeIndicators } from './purge-indicators.ts';

const service = useTestService();
const tenant = useFixture(() => service.createTenant());

const sample = { type: 'domain', category: 'phishing', threat_type: 'known_indicator', confidence: 0.9 };
const domains = (...values: string[]) => values.map((value) => ({ ...sample, value }));
const numbered = (from: number, to: number) =>
  domains(...Array.from({ length: to - from }, (_, at) => `n${from + at}.example`));

function send(method: string, path: string, body?: object, of = tenant): Promise<TestAnswer> {
  return service.client.send(method, path, { credential: of.credential, ...(body && { body }) });
}

async function put(body: object, of = tenant): Promise<IndicatorImportResult> {
  const answer = await send('POST', '/indicators', body, of);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as IndicatorImportResult;
}

async function listed(query = '', of = tenant): Promise<ThreatIndicator[]> {
  const answer = await send('GET', `/indicators?limit=100${query}`, undefined, of);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as { data: ThreatIndicator[] }).data;
}

const valuesOf = async (query = '', of = tenant) =>
  (await listed(query, of)).map(({ value }) => value).sort();
const sourcesOf = async (of = tenant) =>
  ((await send('GET', '/indicators/sources', undefined, of)).body as { data: IndicatorSource[] }).data;

async function countSources({ tenantId }: TestTenant): Promise<number> {
  const { db } = service.service.database.read;
  const rows = await db
    .selectFrom('indicator_sources')
    .select('source')
    .where('tenant_id', '=', tenantId)
    .execute();
  return rows.length;
}

function expectRefusal(answer: TestAnswer, status: number, code: string, text = ''): void {
  expect(answer.body, answer.text).toMatchObject({ error: { status, code } });
  expect(answer.status).toBe(status);
  expect(answer.text).toContain(text);
}

async function importGlobal(source: string, ...values: string[]): Promise<void> {
  const { database } = service.service;
  const indicators = new IndicatorService({ clock: { now: Date.now } });
  const change = { owner: '', source, actor: COMMAND_LINE, requestId: null } as const;
  const keyed = await toKeyedIndicators(source, domains(...values) as never);
  await database.transaction((tx) => indicators.import(tx, change, { replace: false, indicators: keyed }));
}

describe('an import', () => {
  test('is stored in canonical form and counts added, updated and unchanged indicators', async () => {
    const of = await service.createTenant();
    const full = {
      type: 'url',
      value: 'HTTPS://Parcel.Example/Pay/',
      category: 'phishing',
      confidence: 0.123456789,
      threat_type: 'delivery_scam',
      label: 'Paket 📦',
      dual_use: true,
      valid_from: '2026-01-01T00:00:00+01:00',
      valid_until: '2999-01-01T00:00:00Z',
    };
    const sent = { ...full, label: ' Paket\n\u202e📦 ' };
    const first = await put({ source: 'feed', indicators: [sent, ...domains('A.example', 'b.example')] }, of);
    expect(first).toMatchObject({ source: 'feed', added: 3, updated: 0, unchanged: 0, indicators: 3 });
    expect(await listed('&type=url', of)).toEqual([
      {
        ...full,
        scope: 'tenant',
        source: 'feed',
        value: 'parcel.example/Pay',
        valid_from: '2025-12-31T23:00:00.000Z',
        valid_until: '2999-01-01T00:00:00.000Z',
      },
    ]);
    const second = await put(
      { source: 'feed', indicators: [...domains('a.example', 'c.example'), { ...full, confidence: 1 }] },
      of,
    );
    expect(second).toMatchObject({ added: 1, updated: 1, unchanged: 1, removed: 0, indicators: 4 });
    expect(second.import_id).not.toBe(first.import_id);
  });

  test('that names a value twice stores the last one', async () => {
    const of = await service.createTenant();
    const twice = [...domains('a.example'), { ...sample, value: 'A.EXAMPLE', confidence: 0.1 }];
    expect(await put({ source: 'feed', indicators: twice }, of)).toMatchObject({ added: 1, indicators: 1 });
    expect(await listed('', of)).toMatchObject([{ value: 'a.example', confidence: 0.1 }]);
  });

  test('that replaces its source in several requests removes nothing before the last one', async () => {
    const of = await service.createTenant();
    await put({ source: 'feed', indicators: domains('old.example', 'both.example') }, of);
    await put({ source: 'other', indicators: domains('old.example') }, of);
    const first = await put({ source: 'feed', indicators: domains('one.example', 'both.example') }, of);
    expect(await valuesOf('&source=feed', of)).toEqual(['both.example', 'old.example', 'one.example']);
    const last = { source: 'feed', import_id: first.import_id, replace: true };
    const indicators = domains('one.example', 'two.example');
    expect(await put({ ...last, indicators }, of)).toMatchObject({ added: 1, removed: 1, indicators: 3 });
    expect(await valuesOf('&source=feed', of)).toEqual(['both.example', 'one.example', 'two.example']);
    expect(await valuesOf('&source=other', of)).toEqual(['old.example']);

    // A client that received no response repeats the request.
    expect(await put({ ...last, indicators }, of)).toMatchObject({ added: 0, removed: 0, indicators: 3 });
    await purgeIndicators(service.service.database);
    expect(await valuesOf('', of)).toHaveLength(4);
  });

  test('may add an indicator again that was removed but not purged yet', async () => {
    const of = await service.createTenant();
    await put({ source: 'feed', indicators: domains('a.example') }, of);
    await put({ source: 'feed', replace: true, indicators: domains('b.example') }, of);
    expect(await put({ source: 'feed', indicators: domains('a.example') }, of)).toMatchObject({ added: 1 });
    await expect(purgeIndicators(service.service.database, AbortSignal.abort())).rejects.toThrow('aborted');
    await purgeIndicators(service.service.database);
    expect(await valuesOf('', of)).toEqual(['a.example', 'b.example']);
  });

  test('cannot continue after a newer import of the source has begun', async () => {
    const of = await service.createTenant();
    const first = await put({ source: 'feed', indicators: domains('a.example') }, of);
    await put({ source: 'feed', indicators: domains('b.example') }, of);
    const rest = {
      source: 'feed',
      import_id: first.import_id,
      replace: true,
      indicators: domains('c.example'),
    };
    expectRefusal(await send('POST', '/indicators', rest, of), 409, 'import_superseded');
    expectRefusal(
      await send('POST', '/indicators', { ...rest, source: 'unknown' }, of),
      409,
      'import_superseded',
    );
    expect(await valuesOf('', of)).toEqual(['a.example', 'b.example']);
  });

  test('is rejected as a whole, and the error has the index of the invalid indicator', async () => {
    const of = await service.createTenant();
    const refuse = async (wrong: object, text: string) => {
      const body = { source: 'feed', indicators: [...domains('a.example'), { ...sample, ...wrong }] };
      expectRefusal(await send('POST', '/indicators', body, of), 400, 'invalid_field', text);
    };
    await refuse({ value: 'not a domain' }, 'indicators[1].value');
    await refuse({ value: 'co.uk' }, 'indicators[1].value');
    await refuse({ type: 'sha256', value: 'abc' }, 'indicators[1].value');
    await refuse({ value: 'b.example', threat_type: 'unknown' }, 'indicators[1].threat_type');
    await refuse({ value: 'b.example', confidence: 1.1 }, 'indicators[1].confidence');
    await refuse({ value: 'b.example', category: 'spam' }, 'indicators[1].category');
    await refuse({ value: 'b.example', label: 'x'.repeat(121) }, 'indicators[1].label');
    const times = { valid_from: '2026-01-02T00:00:00Z', valid_until: '2026-01-02T00:00:00Z' };
    await refuse({ value: 'b.example', ...times }, 'indicators[1].valid_until');
    for (const body of [
      { source: 'a b', indicators: domains('a.example') },
      { source: 'feed', indicators: [] },
      { source: 'feed', indicators: numbered(0, 1001) },
    ]) {
      expectRefusal(await send('POST', '/indicators', body, of), 400, 'invalid_field');
    }
    expect(await sourcesOf(of)).toEqual([]);
  });

  test('of 1000 indicators fits into one request', async () => {
    const of = await service.createTenant();
    const result = await put({ source: 'feed', indicators: numbered(0, 1000) }, of);
    expect(result).toMatchObject({ added: 1000, indicators: 1000 });
  });

  test('beyond the limit of indicators or of sources is rejected', async () => {
    const of = await service.createTenant();
    const { database } = service.service;
    await put({ source: 'feed', indicators: domains('a.example') }, of);
    const count = (indicators: number) =>
      database.transaction((tx) =>
        tx.updateMany('indicator_heads', ['tenant_id'], [{ tenant_id: of.tenantId, indicators }]),
      );
    await count(199_999);
    const refused = await send('POST', '/indicators', { source: 'feed', indicators: numbered(0, 2) }, of);
    expectRefusal(refused, 422, 'indicator_limit_reached', '200000');
    await put({ source: 'feed', indicators: numbered(0, 1) }, of);
    await count(2);
    const others = Array.from({ length: 99 }, (_, at) => ({
      tenant_id: of.tenantId,
      source: `s${at}`,
      import_id: null,
      import_number: 1,
      kept_since: 1,
      swept_before: 1,
      imported: 1,
      indicators: 1,
      updated_at: 1,
    }));
    await database.transaction((tx) => tx.insertMany('indicator_sources', others));
    const beyond = { source: 's100', indicators: domains('a.example') };
    expectRefusal(await send('POST', '/indicators', beyond, of), 422, 'indicator_limit_reached', '100');
    await send('DELETE', '/indicators?source=s1', undefined, of);
    await put(beyond, of);
  });

  test('counts each indicator once if several run concurrently', async () => {
    const of = await service.createTenant();
    const body = { source: 'feed', indicators: numbered(0, 50) };
    const results = await Promise.all(Array.from({ length: 4 }, () => put(body, of)));
    expect(results.map(({ added }) => added).sort((a, b) => a - b)).toEqual([0, 0, 0, 50]);
    expect(await sourcesOf(of)).toMatchObject([{ indicators: 50 }]);
  });
});

describe('DELETE', () => {
  test('removes a source at once, and returns 404 when repeated', async () => {
    const of = await service.createTenant();
    await put({ source: 'feed', indicators: numbered(0, 3) }, of);
    await put({ source: 'kept', indicators: numbered(0, 2) }, of);
    expect((await send('DELETE', '/indicators?source=feed', undefined, of)).status).toBe(204);
    expect(await valuesOf('', of)).toHaveLength(2);
    expect(await sourcesOf(of)).toMatchObject([{ source: 'kept', indicators: 2 }]);
    expectRefusal(await send('DELETE', '/indicators?source=feed', undefined, of), 404, 'not_found');
    await purgeIndicators(service.service.database);
    expect(await countSources(of)).toBe(1);
    expect(await put({ source: 'feed', indicators: numbered(0, 1) }, of)).toMatchObject({ added: 1 });
  });

  test('removes one indicator, however its value is written', async () => {
    const of = await service.createTenant();
    await put({ source: 'feed', indicators: domains('a.example', 'b.example') }, of);
    const path = '/indicators?source=feed&type=domain&value=A.Example.';
    expect((await send('DELETE', path, undefined, of)).status).toBe(204);
    expect(await valuesOf('', of)).toEqual(['b.example']);
    expectRefusal(await send('DELETE', path, undefined, of), 404, 'not_found');
    await send('DELETE', '/indicators?source=feed&type=domain&value=b.example', undefined, of);
    expect(await sourcesOf(of)).toEqual([]);
    await purgeIndicators(service.service.database);
    expect(await countSources(of)).toBe(0);
  });

  test('removes one indicator while its source is being replaced, and the counts agree', async () => {
    const of = await service.createTenant();
    const { import_id } = await put({ source: 'feed', indicators: domains('a.example', 'b.example') }, of);
    await send('DELETE', '/indicators?source=feed&type=domain&value=a.example', undefined, of);
    const last = { source: 'feed', import_id, replace: true, indicators: domains('c.example') };
    expect(await put(last, of)).toMatchObject({ added: 1, removed: 0, indicators: 2 });
  });

  test('does not find an indicator that a replacement removed, even before the purge', async () => {
    const of = await service.createTenant();
    await put({ source: 'feed', indicators: domains('a.example', 'b.example') }, of);
    await put({ source: 'feed', replace: true, indicators: domains('b.example') }, of);
    const path = '/indicators?source=feed&type=domain&value=a.example';
    expectRefusal(await send('DELETE', path, undefined, of), 404, 'not_found');
    expect(await sourcesOf(of)).toMatchObject([{ indicators: 1 }]);
  });

  test('requires a source, and type and value together', async () => {
    expectRefusal(await send('DELETE', '/indicators'), 400, 'invalid_parameter');
    expectRefusal(await send('DELETE', '/indicators?source=feed&type=url'), 400, 'invalid_parameter');
    expectRefusal(
      await send('DELETE', '/indicators?source=feed&type=sha256&value=x'),
      400,
      'invalid_parameter',
    );
  });
});

describe('another tenant', () => {
  test('cannot see, change or remove the indicators of a tenant', async () => {
    const [mine, theirs] = [await service.createTenant(), await service.createTenant()];
    await put({ source: 'feed', indicators: domains('mine.example') }, mine);
    expect(await listed('', theirs)).toEqual([]);
    expect(await sourcesOf(theirs)).toEqual([]);
    expectRefusal(await send('DELETE', '/indicators?source=feed', undefined, theirs), 404, 'not_found');
    await put({ source: 'feed', replace: true, indicators: domains('theirs.example') }, theirs);
    expect(await valuesOf('', mine)).toEqual(['mine.example']);
  });

  test('sees global indicators after its own, and cannot remove or replace them', async () => {
    const of = await service.createTenant();
    await importGlobal('shared', 'all-a.example', 'all-b.example');
    await put({ source: 'zzz', indicators: domains('own.example') }, of);
    const all = await listed('', of);
    expect(all.map(({ scope }) => scope)).toEqual(['tenant', 'global', 'global']);
    expect(await sourcesOf(of)).toMatchObject([
      { scope: 'tenant', source: 'zzz' },
      { scope: 'global', source: 'shared', indicators: 2 },
    ]);
    expectRefusal(await send('DELETE', '/indicators?source=shared', undefined, of), 404, 'not_found');
    await put({ source: 'shared', replace: true, indicators: domains('own.example') }, of);
    expect(await listed('&source=shared', of)).toHaveLength(3);
  });
});

test('pages of any size contain each indicator once, across own and global ones', async () => {
  const of = await service.createTenant();
  await importGlobal('walk', 'w1.example', 'w2.example', 'w3.example');
  await put({ source: 'walk', indicators: numbered(0, 9) }, of);
  for (const limit of [1, 4, 9, 12]) {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const at = cursor === '' ? '' : `&cursor=${cursor}`;
      const answer = await send('GET', `/indicators?source=walk&limit=${limit}${at}`, undefined, of);
      const page = answer.body as { data: ThreatIndicator[]; next_cursor: string | null };
      seen.push(...page.data.map(({ value }) => value));
      cursor = page.next_cursor;
    }
    expect(seen).toHaveLength(12);
    expect(new Set(seen).size).toBe(12);
  }
});

test('lists can be filtered by source, type and category', async () => {
  const of = await service.createTenant();
  const app = { ...sample, type: 'package', value: 'com.example.Spy', category: 'malicious_app' };
  await put({ source: 'one', indicators: [app, ...domains('a.example')] }, of);
  await put({ source: 'two', indicators: domains('b.example') }, of);
  const own = async (query: string) => (await listed(query, of)).filter(({ scope }) => scope === 'tenant');
  expect(await own('&source=two')).toMatchObject([{ value: 'b.example' }]);
  expect(await own('&type=package')).toMatchObject([{ value: 'com.example.Spy' }]);
  expect(await own('&category=malicious_app')).toMatchObject([{ value: 'com.example.Spy' }]);
  expect(await own('&source=two&type=package')).toEqual([]);
});

test('each change writes one audit entry with counts and without values', async () => {
  const of = await service.createTenant();
  const answer = await send('POST', '/indicators', { source: 'feed', indicators: numbered(0, 30) }, of);
  await send('DELETE', '/indicators?source=feed&type=domain&value=n1.example', undefined, of);
  await send('DELETE', '/indicators?source=feed', undefined, of);
  const filter = { actionPrefix: 'indicator.' };
  const page = { after: undefined, limit: 50 };
  const { read } = service.service.database;
  const entries: AuditEntry[] = await auditStore.list(read, of.tenantId, filter, page);
  expect(entries).toHaveLength(3);
  const imported = entries.find(({ action }) => action === 'indicator.import');
  expect(imported).toMatchObject({
    actor: { type: 'token' },
    resource: { type: 'indicator_source', id: 'feed' },
    outcome: 'success',
    request_id: answer.headers.get('x-request-id'),
    fields: { added: 30, removed: 0 },
  });
  expect(entries.map(({ fields }) => (fields as { removed: number }).removed).sort()).toEqual([0, 1, 29]);
  expect(JSON.stringify(entries)).not.toContain('n1.example');
});

test('a lookup finds an imported indicator until it is removed', async () => {
  const of = await service.createTenant();
  const { read } = service.service.database;
  await put({ source: 'feed', indicators: domains('found.example') }, of);
  const [key] = (await toKeyedIndicators('feed', domains('found.example') as never)).keys();
  const find = () => indicatorStore.findMatches(read, of.tenantId, key ? [key] : [], Date.now());
  expect(await find()).toMatchObject([{ indicator: { value: 'found.example', source: 'feed' } }]);
  await send('DELETE', '/indicators?source=feed', undefined, of);
  expect(await find()).toEqual([]);
});
