import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const runFile = promisify(execFile);
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Runs a program to its end and gives what it printed. @throws Error with everything it said, when it fails */
export async function run(
  program: string,
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Readonly<Record<string, string>> },
): Promise<string> {
  try {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: MAX_OUTPUT_BYTES };
    return (await runFile(program, args, options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = Object(error) as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')} failed in ${cwd}:\n${stdout}${stderr}`.trimEnd(), {
      cause: error,
    });
  }
}
