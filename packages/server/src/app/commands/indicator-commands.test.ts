import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '@tps/testing/process';
import { openTestDatabase } from '@tps/testing/store';
import { expect, onTestFinished, test } from 'vitest';
import { auditStore } from '../../features/audit/index.ts';
import { indicatorStore } from '../../features/indicators/index.ts';
import { NO_TENANT, type TenantId } from '../../platform/tenant-id.ts';

const said = { type: 'domain', category: 'phishing', threat_type: 'known_indicator', confidence: 0.9 };
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({ ...said, value: `n${from + at}.example` }));

async function open() {
  const { database, url, drop } = await openTestDatabase({ exclusive: false });
  const folder = await mkdtemp(join(tmpdir(), 'tps-'));
  onTestFinished(async () => {
    await rm(folder, { recursive: true });
    await drop();
  });
  const file = join(folder, 'feed.ndjson');
  return {
    database,
    file,
    write: (lines: readonly object[]) =>
      writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n')),
    async run(...args: string[]): Promise<Record<string, unknown>> {
      const env = { SERVICE_DATABASE_URL: url };
      const { code, printed, output } = await runCommand(['indicators', ...args, '--json'], env);
      if (code !== 0) throw new Error(output);
      return JSON.parse(printed) as Record<string, unknown>;
    },
    find: async (tenantId: string, value: string) => {
      const all = await indicatorStore.list(database.read, tenantId as TenantId, {
        after: undefined,
        limit: 9999,
      });
      return all.filter(({ indicator }) => indicator.value === value).length;
    },
  };
}

test('operator imports and removals hold for all tenants, with an audit entry of no tenant', async () => {
  const { database, file, write, run, find } = await open();
  await write([...numbered(0, 1500), { ...said, value: 'gone.example' }]);
  expect(await run('import', file, '--source', 'feed')).toMatchObject({ added: 1501, indicators: 1501 });
  expect([await find(NO_TENANT, 'gone.example'), await find('tnt_x', 'gone.example')]).toEqual([1, 0]);
  await write(numbered(0, 1501));
  expect(await run('import', file, '--source', 'feed', '--replace')).toEqual({
    source: 'feed',
    added: 1,
    updated: 0,
    unchanged: 1500,
    removed: 1,
    indicators: 1501,
  });
  expect(await find(NO_TENANT, 'gone.example')).toBe(0);
  const one = ['--source', 'feed', '--type', 'domain', '--value', 'N7.example'];
  expect(await run('remove', ...one)).toEqual({ source: 'feed', removed: 1 });
  expect(await run('remove', '--source', 'feed')).toEqual({ source: 'feed', removed: 1500 });
  await expect(run('remove', '--source', 'feed')).rejects.toThrow('No such source of indicators.');
  const entries = await auditStore.list(
    database.read,
    NO_TENANT as TenantId,
    { actionPrefix: 'indicator.' },
    { after: undefined, limit: 50 },
  );
  // An import of two parts leaves two.
  expect(entries).toHaveLength(6);
  expect(entries.every(({ actor }) => actor.type === 'command_line')).toBe(true);
});

test('a file with an invalid line names it and stores nothing of its part', async () => {
  const { file, write, run, find } = await open();
  await write([
    { ...said, value: 'a.example' },
    { ...said, value: 'co.uk' },
  ]);
  await expect(run('import', file, '--source', 'feed')).rejects.toThrow('indicators[1].value');
  await write([{ ...said, value: 'a.example' }, { value: 'b.example' }]);
  await expect(run('import', file, '--source', 'feed')).rejects.toThrow('type is missing');
  await writeFile(file, 'nonsense\n');
  await expect(run('import', file, '--source', 'feed')).rejects.toThrow('Line 1');
  await writeFile(file, '');
  await expect(run('import', file, '--source', 'feed', '--replace')).rejects.toThrow('nothing was changed');
  expect(await find(NO_TENANT, 'a.example')).toBe(0);
});
