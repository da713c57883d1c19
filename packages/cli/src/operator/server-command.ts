import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Runs a command of the service with the output of `context`. The service is loaded only here: commands that call the
 * API do not need it.
 *
 * @returns its exit code
 * @throws ClosedOutputError when it succeeded and the reader of its output is gone
 */
export async function runServerCommand(
  args: readonly string[],
  context: Pick<CommandContext, 'stdout' | 'stderr'> & { readonly env: Environment },
): Promise<number> {
  const { runCommandLine } = await import('@tps/server/command-line');
  const failures: unknown[] = [];
  const writes: Promise<boolean>[] = [];
  const writeTo = (output: CommandContext['stdout']) => (text: string) => {
    const write = output.write(`${text}\n`).then(
      () => true,
      (error) => {
        failures.push(error);
        return false;
      },
    );
    writes.push(write);
    return write;
  };
  const exitCode = await runCommandLine(args, {
    env: context.env,
    stdout: writeTo(context.stdout),
    stderr: writeTo(context.stderr),
  });
  await Promise.all(writes);
  // A failed command stays failed, even if the reader of its output is gone.
  if (exitCode === 0 && failures.length > 0) throw failures[0];
  return exitCode;
}

/**
 * Runs a command of the service and returns what it wrote to the standard output.
 *
 * @param accepted exit codes besides 0 that leave a complete output
 * @throws CommandError with the text of the standard error when it ends with another exit code
 */
export async function readServerCommand(
  args: readonly string[],
  env: Environment,
  accepted: readonly number[] = [],
): Promise<string> {
  const { runCommandLine } = await import('@tps/server/command-line');
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const exitCode = await runCommandLine(args, {
    env,
    stdout: async (text) => stdout.push(text) > 0,
    stderr: (text) => void stderr.push(text),
  });
  const isComplete = exitCode === 0 || (accepted.includes(exitCode) && stdout.length > 0);
  if (isComplete) return stdout.join('\n');
  throw new CommandError(stderr.join('\n').trim() || `The command of the service ended with ${exitCode}.`, {
    code: 'service_program',
    exitCode: exitCode === EXIT.usage ? EXIT.usage : EXIT.failure,
  });
}

/** Returns a command of the service without running it, for completion. */
export async function findServerCommand(name: string): Promise<Command | undefined> {
  const { buildCommandLine } = await import('@tps/server/command-line');
  const ignore = () => undefined;
  const program = buildCommandLine({
    env: {},
    stdout: async () => true,
    stderr: ignore,
    failWith: ignore,
    serve: async () => undefined,
  });
  return program.commands.find((command) => command.name() === name);
}
