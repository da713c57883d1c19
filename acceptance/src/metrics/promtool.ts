import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why promtool cannot be run here; undefined if it can. */
export const PROMTOOL_PROBLEM =
  spawnSync('promtool', ['--version']).error === undefined
    ? undefined
    : 'promtool is not installed (Debian: apt-get install prometheus)';

/** Runs promtool. Returns its exit code, and what it printed. */
export function runPromtool(args: readonly string[], input = ''): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, {
    encoding: 'utf8',
    input,
    timeout: 60_000,
  });
  return { status, output: `${stdout}${stderr}` };
}

/** Runs promtool on a temporary file. JSON is YAML. */
export function runPromtoolOn(args: readonly string[], content: object): ReturnType<typeof runPromtool> {
  const folder = mkdtempSync(join(tmpdir(), 'tps-promtool-'));
  try {
    const file = join(folder, 'content.yml');
    writeFileSync(file, JSON.stringify(content));
    return runPromtool([...args, file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
