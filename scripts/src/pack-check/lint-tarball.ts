import { join } from 'node:path';
import { run } from '../run.ts';

/**
 * Holds a tarball against what publint knows of package.json, and against how TypeScript resolves it from ESM.
 * @throws Error that says what is wrong
 */
export async function lintTarball(root: string, path: string): Promise<void> {
  const tool = (name: string) => join(root, 'node_modules', '.bin', name);
  await run(tool('publint'), ['run', path, '--strict'], { cwd: root });
  // Its types are in it: there is nothing to look for at the registry.
  const offline = ['--no-definitely-typed', '--profile', 'esm-only', '--format', 'ascii', '--no-emoji'];
  await run(tool('attw'), [path, ...offline], { cwd: root });
}
