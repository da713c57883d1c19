import type { CommandContext } from '../command-context.ts';
import { readProfiles } from '../connection/profiles.ts';
import { type CheckResult, fail, ok, toReason } from './check-result.ts';

/** The same as in bin/tps.js. */
const MIN_NODE = [22, 18] as const;

export function checkNode(version: string): CheckResult {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const isEnough = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  return isEnough
    ? ok('node', `Node ${version}`)
    : fail('node', `Node ${version} is too old.`, `Install Node ${MIN_NODE.join('.')} or newer; 24 is best.`);
}

/** Checks that the saved profiles can be read, and by their owner only. */
export async function checkProfiles(env: CommandContext['env']): Promise<CheckResult> {
  try {
    const { profiles, current } = await readProfiles(env);
    const count = Object.keys(profiles).length;
    if (count === 0)
      return ok('profiles', 'No profiles are saved; the service is set by options or the environment.');
    return ok('profiles', `${count} saved${current === undefined ? '' : `, ${current} in use`}`);
  } catch (error) {
    return fail('profiles', toReason(error), 'Fix the file, or remove it and run `tps login` again.');
  }
}
