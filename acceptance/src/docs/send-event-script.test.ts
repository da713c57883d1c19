import { execFile, execFileSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Alert, Event } from '@tps/contract';
import { newFolder } from '@tps/testing/fixture';
import { spawnService } from '@tps/testing/process';
import { createTestStore } from '@tps/testing/store';
import { expect, onTestFinished, test } from 'vitest';
import { readList } from '../service/read-api.ts';

const SCRIPT = fileURLToPath(new URL('../../../docs/examples/send-event.sh', import.meta.url));
/** What the script requires: curl, openssl, and these standard tools. */
const TOOLS = ['bash', 'curl', 'openssl', 'cat', 'date', 'mktemp', 'rm'];

/** Runs the script with a PATH that contains only the programs it may use. */
function runScript(env: Record<string, string>, args: readonly string[] = []) {
  const bin = newFolder();
  const find = (tool: string) => execFileSync('which', [tool], { encoding: 'utf8' }).trim();
  for (const tool of TOOLS) symlinkSync(find(tool), join(bin, tool));
  return new Promise<{ code: number; output: string }>((resolve) => {
    execFile(join(bin, 'bash'), [SCRIPT, ...args], { env: { PATH: bin, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

async function startOnStore() {
  const store = await createTestStore('empty');
  onTestFinished(store.drop);
  const service = await spawnService({ env: { SERVICE_DATABASE_URL: store.url } });
  return { service, credential: service.credentials().admin };
}

test('with only curl and openssl a device registers, sends an event and reads it back', async () => {
  const { service, credential } = await startOnStore();
  const { code, output } = await runScript({ BASE_URL: service.baseUrl, CREDENTIAL: credential });
  expect(output.match(/^HTTP \d+$/gm), output).toEqual(['HTTP 201', 'HTTP 201', 'HTTP 200', 'HTTP 200']);
  expect(code).toBe(0);

  const feed = await readList<Event>(service.baseUrl, '/events', { credential, limit: 100 });
  expect(feed.items).toHaveLength(1);
  expect(feed.items[0]).toMatchObject({
    description: 'A page that copies a bank, sent to [email]',
    indicators: [expect.stringMatching(/^url:sha256:[0-9a-f]{64}$/)],
  });
  const alerts = await readList<Alert>(service.baseUrl, '/alerts', { credential, limit: 100 });
  expect(alerts.items.map((alert) => alert.event_ids)).toEqual([[feed.items[0]?.event_id]]);
  for (const id of [feed.items[0]?.event_id, alerts.items[0]?.alert_id]) expect(output).toContain(`"${id}"`);
});

test('a run with the kept key is the same device', async () => {
  const { service, credential } = await startOnStore();
  const key = join(newFolder(), 'device.key');
  const env = {
    BASE_URL: `${service.baseUrl}/`,
    CREDENTIAL: credential,
    DEVICE_ID: 'dev_kept',
    KEY_FILE: key,
  };
  expect((await runScript(env)).output).toContain('HTTP 201');
  expect(existsSync(key)).toBe(true);
  const again = await runScript(env);
  expect(again.output.match(/^HTTP \d+$/gm)).toEqual(['HTTP 200', 'HTTP 201', 'HTTP 200', 'HTTP 200']);
});

test('a refusal is printed and ends the script', async () => {
  const { service, credential } = await startOnStore();
  const env = { BASE_URL: service.baseUrl, CREDENTIAL: credential, DEVICE_ID: 'dev_taken' };
  expect((await runScript(env)).code).toBe(0);
  const other = await runScript(env);
  expect(other.output).toContain('device_key_conflict');
  expect(other.output).toContain('HTTP 409');
  expect(other.output).not.toContain('# POST /events');
  expect(other.code).not.toBe(0);

  const unknown = await runScript({ ...env, CREDENTIAL: `${credential.slice(0, -6)}000000` });
  expect(unknown.output).toContain('invalid_credentials');
  expect(unknown.code).not.toBe(0);
});

test('--help prints the requirements, and so does a run that lacks them', async () => {
  const help = await runScript({}, ['--help']);
  expect(help.code).toBe(0);
  for (const word of ['BASE_URL', 'CREDENTIAL', 'DEVICE_ID', 'KEY_FILE']) expect(help.output).toContain(word);
  const bare = await runScript({});
  expect(bare).toEqual({ code: 2, output: help.output });
});
