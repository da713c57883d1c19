import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '@tps/testing/fixture';
import { expect, test } from 'vitest';
import { startService } from '../../../demo/src/start-service.ts';

function programOf(text: string): string {
  const path = join(newFolder(), 'main.mjs');
  writeFileSync(path, text);
  return path;
}

test('the demonstration prints what the service wrote when it could not start', async () => {
  const main = programOf(`process.stderr.write('no room on the disk', () => process.exit(3));`);
  await expect(startService({ main })).rejects.toThrow(/ended with code 3.*no room on the disk/s);
});

test('the demonstration waits for a slow service, and says for what', async () => {
  const folder = newFolder();
  // It becomes ready when the demonstration has reported twice.
  const main = programOf(`
    import { existsSync, writeFileSync } from 'node:fs';
    const file = ${JSON.stringify(join(folder, 'credentials'))};
    writeFileSync(file, '  tenant  tnt_one\\n  tenant admin  svc_live_one\\n');
    setInterval(() => {
      if (!existsSync(${JSON.stringify(join(folder, 'go'))})) return;
      console.log(JSON.stringify({ file, msg: 'first credentials written' }));
      console.log(JSON.stringify({ baseUrl: 'http://127.0.0.1:1' }));
    }, 10);
  `);
  const reports: string[] = [];
  const report = (line: string) => {
    reports.push(line);
    if (reports.length === 2) writeFileSync(join(folder, 'go'), '');
  };
  const service = await startService({ main, report, reportEveryMs: 20 });
  expect(service).toMatchObject({ baseUrl: 'http://127.0.0.1:1', tenantId: 'tnt_one' });
  expect(reports[0]).toMatch(/^Waiting for the service to start: process \d+, 0 s so far\.$/);
  await service.stop();
});
