import { randomBytes } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '@tps/testing/fixture';
import { type SpawnedProcess, spawnProgram, spawnService } from '@tps/testing/process';
import { createTestStore } from '@tps/testing/store';
import { expect, onTestFinished, test } from 'vitest';

const IS_SQLITE = process.env.TEST_STORE !== 'postgres';
const SECRETS = {
  SERVICE_SECRET_KEY_B64: randomBytes(32).toString('base64'),
  SERVICE_SECRET_KEY_B64_PREVIOUS: randomBytes(32).toString('base64'),
  SERVICE_METRICS_TOKEN: 'marked-metrics-token',
  SERVICE_SMTP_URL: 'smtp://tps:marked-mail-password@127.0.0.1:25',
};

/** Writes each secret to a file, and returns the variables that name the files. One of them is open to every user. */
function toFiles(secrets: Readonly<Record<string, string>>): Record<string, string> {
  const folder = newFolder();
  const files = Object.entries(secrets).map(([name, secret]) => {
    const file = join(folder, name);
    writeFileSync(file, `${secret}\n`);
    chmodSync(file, name === 'SERVICE_METRICS_TOKEN' ? 0o644 : 0o600);
    return [`${name}_FILE`, file];
  });
  return Object.fromEntries(files);
}

/** Returns the command lines that every user can read, of a process and the processes that it has started. */
function readCommandLines(pid: number): string[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
    );
    const own = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return [own, ...children.flatMap((child) => readCommandLines(Number(child)))];
  } catch {
    // A process or a thread of it has ended in the meantime.
    return [];
  }
}

/** Reads the list of processes again and again until the process ends. */
async function watch({ pid, ended }: SpawnedProcess): Promise<{ code: number | null; lines: Set<string> }> {
  const lines = new Set<string>();
  let isRunning = true;
  const end = ended.finally(() => {
    isRunning = false;
  });
  while (isRunning) {
    for (const line of readCommandLines(pid)) lines.add(line);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return { code: (await end).code, lines };
}

function findSecrets(lines: Iterable<string>, secrets: readonly string[]): string[] {
  const all = [...lines].join('\n');
  return secrets.filter((secret) => all.includes(secret));
}

test.skipIf(process.platform !== 'linux')(
  'the list of processes shows no secret during start, backup and restore',
  async () => {
    const store = await createTestStore('empty');
    onTestFinished(store.drop);
    const env: Record<string, string> = {
      ...toFiles({ ...SECRETS, SERVICE_DATABASE_URL: store.url }),
      SERVICE_SMTP_FROM: 'tps@example.com',
    };
    const password = IS_SQLITE ? [] : [new URL(store.url).password];
    const service = await spawnService({ env });
    const { admin, operator } = service.credentials();
    const secrets = [...Object.values(SECRETS), 'marked-mail-password', admin, operator, ...password];
    const running = readCommandLines(service.pid);
    expect(running.join()).toContain('main.js');
    expect(findSecrets(running, secrets)).toEqual([]);
    const environment = readFileSync(`/proc/${service.pid}/environ`, 'utf8');
    expect(environment).toContain('SERVICE_SECRET_KEY_B64_FILE');
    expect(findSecrets([environment], secrets), 'with files, not even the environment has them').toEqual([]);
    expect(service.output()).toContain(`the file ${env.SERVICE_METRICS_TOKEN_FILE} may be read or changed`);
    expect(service.output()).not.toContain(`the file ${env.SERVICE_SMTP_URL_FILE} may be read`);
    if (!IS_SQLITE) return;

    const file = join(newFolder(), 'backup.db');
    for (const args of [
      ['backup', file],
      ['restore', file, '--force'],
    ]) {
      if (args[0] === 'restore') await service.stop();
      const { code, lines } = await watch(spawnProgram({ args, env }));
      expect(code).toBe(0);
      expect([...lines].join()).toContain(args[0]);
      expect(findSecrets(lines, secrets)).toEqual([]);
    }
  },
);
