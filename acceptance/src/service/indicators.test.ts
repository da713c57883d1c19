import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createClient } from '@tps/client';
import { spawnService } from '@tps/testing/process';
import { useTestService } from '@tps/testing/service';
import { createTestStore } from '@tps/testing/store';
import { createTpsUser, type TpsUser } from '@tps/testing/tps';
import { expect, onTestFinished, test } from 'vitest';

const service = useTestService();

async function loggedIn(): Promise<TpsUser> {
  const { credential } = await service.createTenant();
  const user = createTpsUser();
  const { code, stderr } = await user.run(['login', service.baseUrl], { input: credential });
  if (code !== 0) throw new Error(stderr);
  return user;
}

async function write(user: TpsUser, name: string, lines: readonly string[]): Promise<void> {
  await writeFile(join(user.directory, name), `${lines.join('\n')}\n`);
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `n${from + at}.example`);

test('20,000 indicators are imported, replaced, fetched as by devices, and removed', async () => {
  const user = await loggedIn();
  await write(user, 'feed.txt', [...numbered(0, 20_000), 'co.uk', 'not a domain']);
  const run = await user.run(['indicators', 'import', 'feed.txt', '--json']);
  expect(run.code, run.stderr).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({
    source: 'feed',
    format: 'list',
    read: 20_000,
    added: 20_000,
    removed: 0,
    indicators: 20_000,
    skipped: 2,
    dry_run: false,
  });
  expect(run.stderr).toContain('2 entries skipped');

  await write(user, 'feed.txt', numbered(15_000, 21_000));
  const replaced = await user.json('indicators', 'import', 'feed.txt', '--replace', '--yes');
  expect(replaced).toMatchObject({ added: 1000, unchanged: 5000, removed: 15_000, indicators: 6000 });
  const sources = await user.json('indicators', 'sources');
  expect(sources).toMatchObject([{ scope: 'tenant', source: 'feed', indicators: 6000 }]);

  const bundle = await user.json('indicators', 'bundle', '--out', 'bundle.json');
  expect(bundle).toMatchObject({ indicators: 6000, path: join(user.directory, 'bundle.json') });

  const one = ['--source', 'feed', '--type', 'domain', '--value', 'N15000.example'];
  await user.runWell('indicators', 'remove', ...one);
  const list = await user.json<{ value: string }[]>('indicators', 'list', '--source', 'feed', '--limit', '3');
  expect(list).toHaveLength(3);
  const unsaid = await user.run(['indicators', 'remove', '--source', 'feed']);
  expect([unsaid.code, unsaid.stderr]).toEqual([2, expect.stringContaining('--yes')]);
  await user.runWell('indicators', 'remove', '--source', 'feed', '--yes');
  expect(await user.json('indicators', 'sources')).toEqual([]);
  const repeat = await user.run(['indicators', 'remove', '--source', 'feed', '--yes']);
  expect(repeat.code).toBe(3);
});

test('kill -9 during an import keeps the source, and the import resumes', async () => {
  const store = await createTestStore('empty');
  onTestFinished(store.drop);
  const env = { SERVICE_DATABASE_URL: store.url };
  const killed = await spawnService({ env });
  const { admin: credential } = killed.credentials();
  const connect = (baseUrl: string) => createClient({ baseUrl, credential }).indicators;
  const said = {
    type: 'domain',
    category: 'phishing',
    threat_type: 'known_indicator',
    confidence: 1,
  } as const;
  const part = (from: number, to: number) => numbered(from, to).map((value) => ({ ...said, value }));
  const source = 'feed';
  await connect(killed.baseUrl).import({ source, indicators: part(0, 500) });
  const begun = await connect(killed.baseUrl).import({ source, indicators: part(500, 1000) });
  const last = { source, import_id: begun.import_id, replace: true, indicators: part(1000, 1500) };
  // The import may be complete or not: all or nothing.
  const interrupted = connect(killed.baseUrl)
    .import(last)
    .catch(() => undefined);
  await killed.kill();
  await interrupted;

  const service = await spawnService({ env });
  const indicators = connect(service.baseUrl);
  const values: string[] = [];
  for await (const { value } of indicators.list({ source })) values.push(value);
  expect([numbered(0, 1000), numbered(500, 1500)].map((each) => each.sort())).toContainEqual(values.sort());
  expect(await indicators.import(last)).toMatchObject({ indicators: 1000 });
  expect(await service.stop()).toMatchObject({ code: 0 });
});

test('a dry run or a file without indicators changes nothing', async () => {
  const user = await loggedIn();
  await write(user, 'a.csv', ['url,label', 'https://parcel.example/pay,Parcel']);
  const flags = ['--source', 'own', '--threat-type', 'delivery_scam', '--confidence', '0.7'];
  const dry = await user.json('indicators', 'import', 'a.csv', ...flags, '--dry-run');
  expect(dry).toMatchObject({ dry_run: true, read: 1, types: { url: 1 }, source: 'own' });
  await write(user, 'b.txt', ['co.uk']);
  const none = await user.run(['indicators', 'import', 'b.txt', '--replace']);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('Nothing was changed')]);
  await write(
    user,
    'c.txt',
    Array.from({ length: 200_001 }, (_, at) => at.toString(16).padStart(64, '0')),
  );
  const tooMany = await user.run(['indicators', 'import', 'c.txt', '--replace']);
  expect([tooMany.code, tooMany.stderr]).toEqual([2, expect.stringContaining('the limit is 200000')]);
  expect(await user.json('indicators', 'sources')).toEqual([]);
  await user.runWell('indicators', 'import', 'a.csv', ...flags, '--valid-days', '30');
  expect(await user.json('indicators', 'list')).toMatchObject([
    {
      type: 'url',
      value: 'parcel.example/pay',
      category: 'phishing',
      threat_type: 'delivery_scam',
      confidence: 0.7,
      valid_until: expect.any(String),
    },
  ]);
  const named = await user.run(['indicators', 'import', 'a.csv', '--source', 'a b']);
  expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('--source')]);
  const unknown = await user.run(['indicators', 'import', 'a.csv', '--threat-type', 'unheard_of']);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('delivery_scam')]);
});

test('expired indicators of a feed are imported and reported', async () => {
  const user = await loggedIn();
  const pattern = (value: string) => `[domain-name:value='${value}']`;
  const indicator = (at: number, more: object) => ({ type: 'indicator', id: `indicator--${at}`, ...more });
  const objects = [
    indicator(1, { pattern: pattern('old.example'), valid_until: '2020-01-01T00:00:00Z' }),
    indicator(2, { pattern: pattern('new.example') }),
  ];
  await write(user, 'a.json', [JSON.stringify({ type: 'bundle', objects })]);
  expect(await user.json('indicators', 'import', 'a.json')).toMatchObject({ added: 2, expired: 1 });
  expect(await user.runWell('indicators', 'import', 'a.json', '--dry-run')).toMatch(/^expired +1, /m);
  expect(await user.json('indicators', 'bundle', '--out', 'b.json')).toMatchObject({ indicators: 1 });
});

test('listed exceptions are not imported, and an invalid list stops the import', async () => {
  const user = await loggedIn();
  await write(user, 'feed.txt', ['https://www.own.example/login', 'evil.example']);
  await write(user, 'own.txt', ['# ours', 'own.example']);
  const run = ['indicators', 'import', 'feed.txt', '--except', 'own.txt', '--replace'];
  expect(await user.json(...run)).toMatchObject({
    added: 1,
    skipped_why: [{ why: 'an exception covers it' }],
  });
  await write(user, 'own.txt', ['own.example', 'other .example']);
  const slip = await user.run(run);
  expect([slip.code, slip.stderr]).toEqual([2, expect.stringContaining('line 2')]);
});

test('--replace asks before a source shrinks by more than half', async () => {
  const user = await loggedIn();
  const hosts = Array.from({ length: 20 }, (_, at) => `host${at}.example`);
  const run = ['indicators', 'import', 'feed.txt', '--source', 'feed', '--replace'];
  await write(user, 'feed.txt', hosts);
  expect(await user.json(...run)).toMatchObject({ added: 20 });
  await write(user, 'feed.txt', hosts.slice(0, 9));
  const asked = await user.run(run);
  expect([asked.code, asked.stderr]).toEqual([
    2,
    expect.stringContaining('has 20 indicators and would keep 9'),
  ]);
  expect(await user.json(...run, '--dry-run')).toMatchObject({ read: 9 });
  await write(user, 'feed.txt', hosts.slice(0, 10));
  expect(await user.json(...run)).toMatchObject({ removed: 10 });
  await write(user, 'feed.txt', hosts.slice(0, 1));
  expect(await user.json(...run, '--yes')).toMatchObject({ removed: 9, indicators: 1 });
  await write(user, 'feed.txt', ['other.example']);
  expect(await user.json(...run)).toMatchObject({ added: 1, removed: 1 });
});

test('sites that people use every day are imported only if that is allowed', async () => {
  const user = await loggedIn();
  await write(user, 'feed.txt', ['paypal.com', 'real-evil.com', '8.8.8.8', '198.51.100.0/24']);
  const run = ['indicators', 'import', 'feed.txt', '--source', 'feed'];
  const careful = await user.run([...run, '--dry-run']);
  expect(careful.stderr).toContain(
    'people use this site every day: the whole site would be blocked (line 1, line 3)',
  );
  expect(await user.json(...run)).toMatchObject({ added: 1, skipped: 3 });
  expect(await user.json(...run, '--allow-well-known')).toMatchObject({ added: 2, skipped: 1 });
});

test('a feed is fetched within limits, and only by https or from this machine', async () => {
  const server = createServer(({ url }, response) => {
    if (url === '/feed.txt') response.end('fetched.example\n');
    else if (url === '/feed.csv?auth-key=a') response.end('url,label\nhttps://fetched.example/a,Parcel\n');
    else if (url === '/moved') response.writeHead(302, { location: '/feed.txt' }).end();
    else if (url === '/away') response.writeHead(302, { location: 'http://192.0.2.1/feed.txt' }).end();
    else if (url === '/round') response.writeHead(302, { location: '/round' }).end();
    else if (url === '/large') for (let sent = 0; sent < 65; sent += 1) response.write(Buffer.alloc(1 << 20));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const user = await loggedIn();
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const from = (path: string) =>
    user.run(['indicators', 'import', `${base}${path}`, '--source', 'web', '--dry-run', '--json']);
  expect(JSON.parse((await from('/moved')).stdout)).toMatchObject({ source: 'web', read: 1 });
  expect(JSON.parse((await from('/feed.csv?auth-key=a')).stdout)).toMatchObject({
    format: 'csv',
    skipped: 0,
  });
  expect(await from('/away')).toMatchObject({ code: 2, stderr: expect.stringContaining('https') });
  expect(await from('/round')).toMatchObject({ code: 5, stderr: expect.stringContaining('5 times') });
  expect(await from('/missing')).toMatchObject({ code: 5, stderr: expect.stringContaining('404') });
  expect(await from('/large')).toMatchObject({ code: 5, stderr: expect.stringContaining('67108864') });
  const plain = await user.run(['indicators', 'import', 'http://192.0.2.1/feed.txt', '--dry-run']);
  expect(plain).toMatchObject({ code: 2, stderr: expect.stringContaining('https') });
  const none = await user.run(['indicators', 'import', 'https://', '--dry-run']);
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('https') });
});

test('--global imports into the store directly, for all tenants', async () => {
  const user = createTpsUser();
  const env = { SERVICE_DATABASE_URL: `sqlite:${join(user.directory, 'service.db')}` };
  const spawn = (...args: string[]) => user.spawn(args, { env });
  const { stdout: tenantId } = await spawn('tenants', 'create', 'Example Ltd');
  expect(tenantId).toMatch(/^tnt_/);
  await write(user, 'feed.txt', ['a.example', 'b.example']);
  const imported = await spawn('indicators', 'import', 'feed.txt', '--global', '--replace', '--json');
  expect(imported.code, imported.stderr).toBe(0);
  expect(JSON.parse(imported.stdout)).toMatchObject({ source: 'feed', added: 2, indicators: 2 });
  const removed = await spawn('indicators', 'remove', '--source', 'feed', '--global', '--yes', '--json');
  expect(JSON.parse(removed.stdout)).toEqual({ source: 'feed', removed: 2 });
});
