import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { text } from 'node:stream/consumers';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';
import { CommandError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';

interface Options {
  readonly env: NodeJS.ProcessEnv;
  readonly directory: string;
}

/** Signals that somebody sends to `tps` and means for the service. */
const FORWARDED = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Runs the service's own program in our place: it reads, writes and is signalled as if it had been started itself.
 * Gives its exit code.
 */
export async function becomeServerProgram(
  args: readonly string[],
  { env, directory }: Options,
): Promise<number> {
  const child = spawn(process.execPath, ['--conditions=source', serverMain(), ...args], {
    env,
    cwd: directory,
    stdio: 'inherit',
  });
  // A terminal sends Ctrl-C to the whole group. A second one would cut short what the first began.
  const atTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  const forwarders = FORWARDED.map((signal) => {
    const forward = () => void (atTerminal && signal === 'SIGINT' ? undefined : child.kill(signal));
    process.on(signal, forward);
    return () => process.off(signal, forward);
  });
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']));
    });
  } finally {
    for (const off of forwarders) off();
  }
}

/**
 * Runs the service's own program to its end and gives what it printed.
 *
 * @throws CommandError with what it said when it ended with another code than 0, or those that are answers, too
 */
export async function runServerProgram(
  args: readonly string[],
  { env, directory }: Options,
  answers: readonly number[] = [],
): Promise<string> {
  const child = spawn(process.execPath, ['--conditions=source', serverMain(), ...args], {
    env,
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [code, printed, said] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (code === 0 || (code !== null && answers.includes(code) && printed !== '')) return printed;
  throw new CommandError(said.trim() || `The service's program ended with ${code}.`, {
    code: 'service_program',
    exitCode: EXIT.failure,
  });
}

function serverMain(): string {
  return fileURLToPath(import.meta.resolve('@tps/server/main'));
}
