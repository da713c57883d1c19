import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@tps/server/testing/free-port';
import { expect, test } from 'vitest';
import { newFolder } from './own-store.ts';

import { type SpawnedProcess, spawnProgram, waitUntil } from './spawn-service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TPS = join(ROOT, 'packages/cli/bin/tps.js');
/** Commands of the tour that go on while others are run: each has a terminal of its own. */
const GOES_ON = /^(?:SERVICE_\w+=\w+ )*tps (?:serve|webhooks listen)\b/;
const ONLY_SHOWS = /^tps (?:\w+ (?:list|show)|status)\b/;
const ID = /\b(?:tnt|evt|dev|pol|thr|alr|inc|job|trc|stp|art|whk|dlv|dlq|tok|scn|aud)_[a-z0-9_]{20,}\b/g;
/** What differs from run to run: ids, times, ports, credentials, and what is measured. */
const VARYING: readonly [RegExp, string][] = [
  [ID, 'ID'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME'],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, 'TIME'],
  [/\brt=\d+/g, 'rt=TIME'],
  // Another model with each training.
  [/\(model [\w.-]+\)/g, '(model VERSION)'],
  [/\breq_[\w-]+/g, 'REQUEST'],
  [/svc_live_…\w+/g, 'HINT'],
  [/127\.0\.0\.1:\d+/g, 'ADDRESS'],
  [/svc_(?:live|test)_\w+/g, 'CREDENTIAL'],
  [/\d+(?:\.\d+)? GiB/g, 'SIZE'],
  [/ ?(?:\/[\w.-]+)+\/(?=tps\.env|data\b)/g, ' '],
  [/v\d+\.\d+\.\d+/g, 'VERSION'],
];

interface Station {
  readonly command: string;
  /** What the README says that it prints. */
  readonly output: string;
}

/** Reads the tour: each `sh` block is a command, the block after it what the command prints. */
function readTour(): Station[] {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const tour = /^## A tour$([\s\S]*?)^## Configuration$/m.exec(readme)?.[1] ?? '';
  const blocks = [...tour.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)];
  return blocks.flatMap(([, language, command = ''], index) => {
    const next = blocks[index + 1];
    if (language !== 'sh' || !command.includes('tps ')) return [];
    return [{ command: command.trim(), output: next?.[1] === 'sh' ? '' : (next?.[2] ?? '') }];
  });
}

function withoutWhatVaries(text: string): string {
  const same = VARYING.reduce((result, [pattern, name]) => result.replaceAll(pattern, name), text);
  // Columns are as wide as their widest cell.
  return same
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ $/gm, '')
    .trim();
}

test('every command of the tour in the README prints what the README says', async () => {
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
  const running: { process: SpawnedProcess; station: Station }[] = [];
  /** Ids of this run by those that stand in the README. */
  const ids = new Map<string, string>();
  const tour = readTour();
  expect(tour.length).toBeGreaterThan(15);

  try {
    for (const station of tour) {
      const command = station.command
        .replaceAll(ID, (id) => ids.get(id) ?? id)
        .replace('tps init --yes', `tps init --yes --bind 127.0.0.1:${port}`);
      if (GOES_ON.test(command)) {
        const process = goOn(command, { env, cwd: folder });
        running.push({ process, station });
        await waitUntil(() => process.output().includes('\n'), 20_000);
        continue;
      }
      const output = await runUntil(station.output, command, { env, cwd: folder });
      expect(withoutWhatVaries(output), station.command).toBe(withoutWhatVaries(station.output));
      const [told, shown] = [station.output.match(ID) ?? [], output.match(ID) ?? []];
      for (const [index, id] of told.entries()) ids.set(id, shown[index] ?? id);
    }
    for (const { process, station } of running) {
      const lines = station.output.trim().split('\n').length;
      const beginning = () => process.output().split('\n').slice(0, lines).join('\n');
      await waitUntil(() => process.output().split('\n').length > lines);
      expect(withoutWhatVaries(beginning()), station.command).toBe(withoutWhatVaries(station.output));
    }
  } finally {
    // Told to, `tps serve` ends the service that it has started; killed, it could not.
    for (const { process } of running) process.signal('SIGTERM');
    await Promise.all(running.map(({ process }) => process.ended));
  }
}, 120_000);

interface Surroundings {
  readonly env: Record<string, string>;
  readonly cwd: string;
}

/** Starts what goes on, with the settings that stand before the command. */
function goOn(command: string, { env, cwd }: Surroundings): SpawnedProcess {
  const words = command.split(' ');
  const at = words.indexOf('tps');
  const settings = Object.fromEntries(words.slice(0, at).map((word) => word.split('=') as [string, string]));
  return spawnProgram({ program: TPS, args: words.slice(at + 1), env: { ...env, ...settings }, cwd });
}

/** Runs a command; one that only shows something again and again for a while, since the service works in the background. */
async function runUntil(expected: string, command: string, surroundings: Surroundings): Promise<string> {
  let output = await run(command, surroundings);
  if (!ONLY_SHOWS.test(command)) return output;
  const isExpected = () => withoutWhatVaries(output) === withoutWhatVaries(expected);
  for (let attempt = 1; attempt < 10 && !isExpected(); attempt += 1)
    output = await run(command, surroundings);
  return output;
}

/** Runs one command as a person would type it and gives everything that it prints. */
function run(command: string, { env, cwd }: Surroundings): Promise<string> {
  return new Promise((resolve) => {
    execFile('bash', ['-c', `{ ${command}\n} 2>&1`], { env, cwd }, (_error, stdout) => resolve(stdout));
  });
}
