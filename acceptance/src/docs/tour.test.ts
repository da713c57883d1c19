import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newFolder } from '@tps/testing/fixture';
import { findFreePort } from '@tps/testing/network';
import { type SpawnedProcess, spawnProgram } from '@tps/testing/process';
import { waitUntil } from '@tps/testing/time';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TPS = join(ROOT, 'packages/cli/bin/tps.js');
/** Commands that keep running while others are run, each in its own terminal. */
const LONG_RUNNING = /^(?:SERVICE_\w+=\w+ )*tps (?:serve|webhooks listen)\b/;
/** Commands that change nothing and can be repeated. */
const READ_ONLY = /^tps (?:\w+ (?:list|show)|status)\b/;
const ID = /\b(?:tnt|evt|dev|pol|thr|alr|inc|job|trc|stp|art|whk|dlv|dlq|tok|scn|aud)_[a-z0-9_]{20,}\b/g;
/** What differs from run to run: ids, times, ports, credentials and measured values. */
const VARYING: readonly [RegExp, string][] = [
  [ID, 'ID'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME'],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, 'TIME'],
  [/\brt=\d+/g, 'rt=TIME'],
  // Another model with each training.
  [/^model {7}\S+/gm, 'model VERSION'],
  [/\breq_[\w-]+/g, 'REQUEST'],
  [/svc_live_…\w+/g, 'HINT'],
  [/127\.0\.0\.1:\d+/g, 'ADDRESS'],
  [/svc_(?:live|test)_\w+/g, 'CREDENTIAL'],
  [/token=[\w-]{32}/g, 'token=SECRET'],
  [/\d+(?:\.\d+)? GiB/g, 'SIZE'],
  [/ ?(?:\/[\w.-]+)+\/(?=tps\.env|data\b)/g, ' '],
  [/\bv?\d+\.\d+\.\d+\b/g, 'VERSION'],
];

interface Step {
  readonly command: string;
  /** What the page shows as its output. */
  readonly output: string;
}

/** Reads the tour: each `sh` block is a command, and the block after it its output. */
function readTour(): Step[] {
  const tour = readFileSync(join(ROOT, 'docs/tour.md'), 'utf8');
  const blocks = [...tour.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, language, command = ''], index) => {
    const next = blocks[index + 1];
    if (language !== 'sh' || !command.includes('tps ')) return [];
    return [{ command: command.trim(), output: next?.[1] === 'sh' ? '' : (next?.[2] ?? '') }];
  });
}

function normalize(text: string): string {
  const same = VARYING.reduce((result, [pattern, name]) => result.replaceAll(pattern, name), text);
  // Columns are as wide as their widest cell.
  return same
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ $/gm, '')
    .trim();
}

test('every command of docs/tour.md prints what the page shows', async () => {
  const folder = newFolder();
  const port = await findFreePort();
  const env = {
    PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    COLUMNS: '200',
    // Other tests have services too, and this address is the same for all.
    SERVICE_METRICS_BIND: 'off',
  };
  const running: { process: SpawnedProcess; step: Step }[] = [];
  /** Ids of this run by those on the page. */
  const ids = new Map<string, string>();
  const tour = readTour();
  expect(tour.length).toBeGreaterThan(15);

  try {
    for (const step of tour) {
      const command = step.command
        .replaceAll(ID, (id) => ids.get(id) ?? id)
        .replace('tps init --yes', `tps init --yes --bind 127.0.0.1:${port}`);
      if (LONG_RUNNING.test(command)) {
        const process = start(command, { env, cwd: folder });
        running.push({ process, step });
        await waitUntil(() => process.output().includes('\n'));
        continue;
      }
      const output = await runUntil(step.output, command, { env, cwd: folder });
      expect(normalize(output), step.command).toBe(normalize(step.output));
      const [written, shown] = [step.output.match(ID) ?? [], output.match(ID) ?? []];
      for (const [index, id] of written.entries()) ids.set(id, shown[index] ?? id);
    }
    for (const { process, step } of running) {
      const lines = step.output.trim().split('\n').length;
      const beginning = () => process.output().split('\n').slice(0, lines).join('\n');
      await waitUntil(() => process.output().split('\n').length > lines);
      expect(normalize(beginning()), step.command).toBe(normalize(step.output));
    }
  } finally {
    // On a signal `tps serve` ends the service that it started; killed, it could not.
    for (const { process } of running) process.signal('SIGTERM');
    await Promise.all(running.map(({ process }) => process.ended));
  }
});

interface CommandContext {
  readonly env: Record<string, string>;
  readonly cwd: string;
}

/** Starts a long-running command, with the settings that precede it. */
function start(command: string, { env, cwd }: CommandContext): SpawnedProcess {
  const words = command.split(' ');
  const at = words.indexOf('tps');
  const settings = Object.fromEntries(words.slice(0, at).map((word) => word.split('=') as [string, string]));
  return spawnProgram({ program: TPS, args: words.slice(at + 1), env: { ...env, ...settings }, cwd });
}

/** Runs a command; a read-only one up to ten times, because the service works in the background. */
async function runUntil(expected: string, command: string, context: CommandContext): Promise<string> {
  let output = await run(command, context);
  if (!READ_ONLY.test(command)) return output;
  const isExpected = () => normalize(output) === normalize(expected);
  for (let attempt = 1; attempt < 10 && !isExpected(); attempt += 1) output = await run(command, context);
  return output;
}

/** Runs one command as a person would type it. Returns everything that it prints. */
function run(command: string, { env, cwd }: CommandContext): Promise<string> {
  return new Promise((resolve) => {
    execFile('bash', ['-c', `{ ${command}\n} 2>&1`], { env, cwd }, (_error, stdout) => resolve(stdout));
  });
}
