import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { FairTurns } from '../../../platform/concurrency/fair-turns.ts';
import type { Config } from '../../../platform/config/config.ts';
import { createLogger } from '../../../platform/logger.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { ContentAnalyzer } from './content-analyzer.ts';

const [ONE, OTHER] = ['tnt_one' as TenantId, 'tnt_other' as TenantId];
/** One is being read, and 64 wait. */
const CAPACITY = 1 + 64;

const lines: string[] = [];
let analyzer: ContentAnalyzer | undefined;

afterEach(async () => {
  await analyzer?.close();
  lines.length = 0;
});

async function open(deadlineMs: number, given: Partial<Config['scan']> = {}): Promise<ContentAnalyzer> {
  const destination = { write: (line: string) => void lines.push(line) };
  const config = {
    workers: 1,
    deadlineMs,
    modelFile: '/nowhere',
    yaraRulesFile: undefined,
    clamd: undefined,
    trustAnchorsFile: undefined,
    ...given,
  };
  analyzer = await ContentAnalyzer.open(config, {
    logger: createLogger({ level: 'debug', destination }),
    turns: new FairTurns(),
  });
  return analyzer;
}

function submit(by: ContentAnalyzer, tenantId: TenantId, bytes: Buffer | string = 'hello') {
  const base64 = Buffer.from(bytes).toString('base64');
  const body = Buffer.from(`{"content_b64":"${base64}"}`);
  const content = { type: 'file', base64: body.subarray(16, 16 + base64.length) } as const;
  return by.analyze(content, { tenantId, body });
}

test('a full queue rejects further work with a retry time and still admits other tenants', async () => {
  const busy = await open(30_000);
  const flood = Array.from({ length: CAPACITY + 10 }, () => submit(busy, ONE));
  const others = Array.from({ length: 5 }, () => submit(busy, OTHER));
  const settled = await Promise.allSettled(flood);
  expect((await Promise.all(others)).map(({ analysis }) => analysis.type)).toEqual(Array(5).fill('file'));
  const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused).toHaveLength(15);
  for (const reason of refused) expect(reason).toMatchObject({ code: 'unavailable', retryAfterSeconds: 30 });
});

test('a transferred body is detached, and one in shared memory leaves its neighbours intact', async () => {
  const by = await open(30_000);
  const small = Buffer.from('{"content_b64":"aGVsbG8="}');
  const neighbour = Buffer.from('neighbour');
  const large = Buffer.from(`{"content_b64":"${'aGVsbG8h'.repeat(10_000)}"}`);
  for (const body of [small, large]) {
    const content = { type: 'file', base64: body.subarray(16, -2) } as const;
    const { indicators } = await by.analyze(content, { tenantId: ONE, body });
    expect(indicators[0]).toMatch(/^sha256:/);
  }
  expect(neighbour.toString()).toBe('neighbour');
  expect(large.byteLength).toBe(0);
});

test('waiting requests are answered when the service stops', async () => {
  const by = await open(30_000);
  const waiting = Array.from({ length: 20 }, () => submit(by, ONE));
  const settled = Promise.allSettled(waiting);
  await by.close();
  const outcomes = await settled;
  expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true);
  await expect(submit(by, ONE)).rejects.toMatchObject({ code: 'unavailable' });
});

test('without models, scanners still run, and the result names the missing model', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tps-analyzer-'));
  const rules = join(folder, 'rules.yar');
  writeFileSync(rules, 'rule marks_a_test { strings: $a = "marker-of-a-test" condition: $a }');
  const by = await open(30_000, { yaraRulesFile: rules });
  rmSync(folder, { recursive: true, force: true });
  const [found, harmless] = await Promise.all([
    submit(by, ONE, 'this file holds the marker-of-a-test'),
    submit(by, ONE, 'this file holds www.listed.example'),
  ]);
  expect(found?.analysis.findings).toMatchObject([{ detector: 'yara', minimumVerdict: 'block' }]);
  expect(harmless?.analysis).toMatchObject({
    findings: [],
    unsupported: { code: 'no_model' },
  });
  expect(harmless?.analysis.keys.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['sha256', 'domain']),
  );
});
