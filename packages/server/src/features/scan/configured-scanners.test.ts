import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScanResult } from '@tps/contract';
import { startTestService, useTestService } from '@tps/testing/service';
import { beforeAll, expect, test } from 'vitest';

const RULES = 'rule marks_a_test { strings: $a = "marker-of-a-test" condition: $a }';
const END = Buffer.alloc(4);

const folder = mkdtempSync(join(tmpdir(), 'tps-scanners-'));
const SOCKET = join(folder, 'clamd.ctl');
const RULES_FILE = join(folder, 'rules.yar');
const shown: Buffer[] = [];

/** Answers INSTREAM like clamd, after the chunk of length zero. */
async function listenAsClamd(socketPath: string): Promise<Server> {
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (!received.subarray(-4).equals(END)) return;
      shown.push(received);
      socket.end(`stream: ${received.includes('virus-of-a-test') ? 'Test.Virus FOUND' : 'OK'}\0`);
    });
  });
  server.listen(socketPath);
  await once(server, 'listening');
  return server;
}

beforeAll(async () => {
  writeFileSync(RULES_FILE, RULES);
  const clamd = await listenAsClamd(SOCKET);
  return () => {
    clamd.close();
    rmSync(folder, { recursive: true, force: true });
  };
});

const service = useTestService({
  env: {
    SERVICE_SCAN_YARA_RULES: RULES_FILE,
    SERVICE_SCAN_CLAMD: SOCKET,
    // The first scan includes compiling the rules.
    SERVICE_SCAN_DEADLINE_MS: '10000',
  },
});

async function scanFile(text: string): Promise<ScanResult> {
  const body = { type: 'file', content_b64: Buffer.from(text).toString('base64'), filename: 'a.txt' };
  const answer = await service.client.send('POST', '/scan', { credential: service.tenant.credential, body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body as ScanResult;
}

test('a file that matches a YARA rule is blocked, and the details name the rule', async () => {
  const result = await scanFile('this file holds the marker-of-a-test');
  expect(result).toMatchObject({ verdict: 'block', threat_type: 'malware' });
  expect(result.findings[0]?.detector).toBe('yara');
  expect(result.details).toContain('a match of the YARA rule marks_a_test');
});

test('a file in which clamd finds a signature is blocked, and clamd receives the whole file', async () => {
  shown.length = 0;
  const result = await scanFile(`${'padding '.repeat(20_000)} virus-of-a-test`);
  expect(result.verdict).toBe('block');
  expect(result.findings[0]?.detector).toBe('clamav');
  expect(result.details).toContain('Test.Virus');
  expect(shown).toHaveLength(1);
  expect(shown[0]?.length).toBeGreaterThan(160_000);
});

test.each([
  ['SERVICE_SCAN_YARA_RULES', 'rule broken { condition: }', 'YARA rules'],
  ['SERVICE_SCAN_TRUST_ANCHORS', 'no certificate', 'trust anchors'],
])('the service does not start with an unusable file: %s', async (name, content, words) => {
  const file = join(folder, 'broken');
  writeFileSync(file, content);
  await expect(startTestService({ env: { [name]: file } })).rejects.toThrow(words);
});
