import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '@tps/testing/fixture';
import { FROM_SOURCE, SERVICE_MAIN, spawnProgram } from '@tps/testing/process';
import { createTestStore } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { onTestFinished, test } from 'vitest';

test('the service ends when its terminal is closed, although it cannot log any more', async () => {
  const store = await createTestStore('empty');
  onTestFinished(store.drop);
  const cwd = newFolder();
  const command = [process.execPath, ...FROM_SOURCE, SERVICE_MAIN].map((word) => `'${word}'`).join(' ');
  const wrapper = join(cwd, 'close-terminal.mjs');
  // The terminal of the service is closed when util-linux's script, which holds it, is killed.
  writeFileSync(
    wrapper,
    `import { spawn } from 'node:child_process';
    const script = spawn('script', ['-qfec', ${JSON.stringify(`exec ${command}`)}, '/dev/null'], { stdio: 'inherit' });
    process.on('SIGTERM', () => script.kill('SIGKILL'));`,
  );
  const env = {
    SERVICE_DATABASE_URL: store.url,
    SERVICE_BIND: '127.0.0.1:0',
    SERVICE_METRICS_BIND: 'off',
  };
  const onTerminal = spawnProgram({ program: wrapper, env, cwd });
  await waitUntil(() => onTerminal.output().includes('"service started"'), 30_000);
  const baseUrl = /"baseUrl":"([^"]+)"/.exec(onTerminal.output())?.[1] ?? '';
  const isServed = () =>
    fetch(`${baseUrl}/healthz`).then(
      () => true,
      () => false,
    );
  await waitUntil(isServed);
  onTerminal.signal('SIGTERM');
  await onTerminal.ended;
  await waitUntil(async () => !(await isServed()), 30_000);
});
