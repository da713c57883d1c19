import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEvent, registerDevice, toDeviceClient } from '@tps/simulator';
import { newFolder } from '@tps/testing/fixture';
import { spawnService, sqliteEnv } from '@tps/testing/process';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

test('the commands of docs/exports.md return the events', async () => {
  const [page = ''] = readFileSync(join(ROOT, 'docs/exports.md'), 'utf8').split('## Exports');
  const commands = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, command = '']) => command);
  expect(commands).toHaveLength(3);
  const [feed = '', stream = '', exported = ''] = commands;
  const folder = newFolder();
  const service = await spawnService({ env: sqliteEnv(join(folder, 'service.db')) });
  const { tenantId, admin: credential } = service.credentials();
  const device = await registerDevice({ baseUrl: service.baseUrl, tenantId, credential });
  const send = async () => {
    const event = createEvent(device);
    await toDeviceClient(device, service).submitEvent(event);
    return event.event_id;
  };
  const env = {
    PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
    HOME: folder,
    TPS_URL: service.baseUrl,
    TPS_CREDENTIAL: credential,
  };
  const run = (command: string) =>
    new Promise<string>((resolve) => {
      execFile('bash', ['-c', command], { env, cwd: folder }, (_error, stdout, stderr) =>
        resolve(stdout + stderr),
      );
    });

  const first = await send();
  expect(await run(feed)).toContain(first);
  let hasEnded = false;
  const streamed = run(stream).finally(() => {
    hasEnded = true;
  });
  const sent: string[] = [];
  while (!hasEnded) sent.push(await send());
  const output = await streamed;
  expect(sent.some((id) => output.includes(id))).toBe(true);
  for (const count of [sent.length + 1, 0]) {
    expect(await run(exported), exported).not.toContain('error');
    const lines = readFileSync(join(folder, 'events.ndjson'), 'utf8').split('\n');
    expect(lines.filter((line) => line.includes(`"${first}"`))).toHaveLength(1);
    if (count > 0) expect(lines.filter((line) => line !== '')).toHaveLength(count);
  }
});
