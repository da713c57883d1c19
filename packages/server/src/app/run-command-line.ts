import { CommanderError, InvalidArgumentError } from 'commander';
import type { Config } from '../platform/config/config.ts';
import { buildCommandLine } from './command-line.ts';
import type { CommandContext } from './commands/command-context.ts';
import { describeFailure } from './describe-failure.ts';

type Serve = (config: Config) => Promise<void>;

/** Runs a command to its end and reports why it failed, if it did. Returns the exit code of the program. */
export async function runCommandLine(
  args: readonly string[],
  { serve = serveUntilStopped, ...context }: Omit<CommandContext, 'failWith'> & { readonly serve?: Serve },
): Promise<number> {
  let exitCode = 0;
  const failWith = (code: number) => {
    exitCode = code;
  };
  try {
    await buildCommandLine({ ...context, serve, failWith }).parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed what is wrong with the arguments; after help it ends with 0.
    if (error instanceof CommanderError && !(error instanceof InvalidArgumentError)) return error.exitCode;
    context.stderr(describeFailure(error));
    return 1;
  }
}

/** Loads the service only here: the other commands then start in two thirds of the time. */
async function serveUntilStopped(config: Config): Promise<void> {
  const { runUntilStopped } = await import('./service/run-until-stopped.ts');
  return runUntilStopped(config);
}
