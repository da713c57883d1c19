import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScanResult } from '@tps/contract';
import { useTestService } from '@tps/testing/service';
import { createTpsUser } from '@tps/testing/tps';
import { beforeAll, describe, expect, test } from 'vitest';
import { APP_INDICATORS, APPS, REMOTE_CONTROL } from './examples/apps.ts';
import { CALLS, HONEST_CALLS } from './examples/calls.ts';
import { FILES, MEDIA } from './examples/files.ts';
import { HONEST_LINKS, LINKS } from './examples/links.ts';
import { HONEST_MESSAGES, MESSAGES } from './examples/messages.ts';
import type { ScanExample } from './examples/scan-example.ts';

const EXAMPLES: readonly ScanExample[] = [
  ...MESSAGES,
  ...HONEST_MESSAGES,
  ...CALLS,
  ...HONEST_CALLS,
  ...LINKS,
  ...HONEST_LINKS,
  ...APPS,
  ...REMOTE_CONTROL,
  ...FILES,
  ...MEDIA,
];

// The verdicts are tested, not the deadline: a busy machine takes longer.
const service = useTestService({ env: { SERVICE_SCAN_DEADLINE_MS: '20000' } });

beforeAll(async () => {
  const answer = await service.client.send('POST', '/indicators', {
    credential: service.tenant.credential,
    body: { source: 'test-list', indicators: APP_INDICATORS },
  });
  expect(answer.status, answer.text).toBe(200);
});

test('there are at least sixty examples, of every type', () => {
  expect(EXAMPLES.length).toBeGreaterThanOrEqual(60);
  expect([...new Set(EXAMPLES.map(({ scan }) => scan.type))].sort()).toEqual([
    'app',
    'file',
    'media',
    'text',
    'url',
  ]);
});

describe('POST /scan returns the right verdict with an explanation for', () => {
  test.each(EXAMPLES.map((example) => [example.name, example] as const))(
    '%s',
    async (_, { scan, expected }) => {
      const { credential } = service.tenant;
      const answer = await service.client.send('POST', '/scan', { credential, body: scan });
      expect(answer.status, answer.text).toBe(200);
      const result = answer.body as ScanResult;
      const { status, verdict, threat_detected, threat_type, threat_category, details, findings } = result;
      if (expected.caught === 'unsupported') {
        expect(result, details).toMatchObject({
          status: 'unsupported',
          threat_detected: false,
          verdict: expected.verdict ?? 'warn',
        });
        expect(details).toContain('not an all-clear');
        return;
      }
      expect({ status, threat_detected }, answer.text).toEqual({
        status: 'completed',
        threat_detected: expected.caught,
      });
      expect(verdict === 'allow', details).toBe(!expected.caught);
      if (expected.verdict) expect(verdict, details).toBe(expected.verdict);
      if (expected.types) expect(expected.types, details).toContain(threat_type);
      if (expected.categories) expect(expected.categories, details).toContain(threat_category);
      expect(details).toMatch(/^[A-Z][^\n]+\.$/);
      expect(result.model_version).toMatch(/^\S+$/);
      if (expected.caught) expect(findings.length).toBeGreaterThan(0);
      expectNothingRepeated(scan, JSON.stringify({ details, findings }));
    },
  );
});

/** An explanation must not quote six words of a message, or an address. */
function expectNothingRepeated({ type, content = '' }: ScanExample['scan'], said: string): void {
  if (type === 'url') expect(said).not.toContain(content);
  if (type !== 'text') return;
  const words = content.toLowerCase().split(/\s+/);
  const lowered = said.toLowerCase();
  for (let start = 0; start + 6 <= words.length; start += 1) {
    expect(lowered).not.toContain(words.slice(start, start + 6).join(' '));
  }
}

test('tps scan returns the same verdict for each type', async () => {
  const user = createTpsUser();
  await user.run(['login', service.baseUrl], { input: service.tenant.credential });
  const [message, link, , app, file, media] = [MESSAGES[0], LINKS[0], undefined, APPS[0], FILES[0], MEDIA[0]];
  const pathOf = async (example: ScanExample | undefined) => {
    const path = join(user.directory, example?.scan.filename ?? 'file');
    await writeFile(path, Buffer.from(example?.scan.content_b64 ?? '', 'base64'));
    return path;
  };
  const runs = await Promise.all([
    user.run(['scan', 'text', message?.scan.content ?? '', '--channel', 'sms', '--json']),
    user.run(['scan', 'url', link?.scan.content ?? '', '--json']),
    user.run(['scan', 'app', app?.scan.app?.package_name ?? '', '--json']),
    user.run(['scan', 'file', await pathOf(file), '--json']),
    user.run(['scan', 'media', await pathOf(media), '--json']),
  ]);
  const results = runs.map(({ stdout, stderr }) => {
    expect(stderr).toBe('');
    return JSON.parse(stdout) as ScanResult;
  });
  expect(results.map(({ status, threat_detected }) => [status, threat_detected])).toEqual([
    ['completed', true],
    ['completed', true],
    ['completed', true],
    ['completed', true],
    ['unsupported', false],
  ]);
});
