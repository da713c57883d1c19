import { CommanderError, InvalidArgumentError } from 'commander';
import type { Config } from '../platform/config/config.ts';
import { buildCommandLine } from './command-line.ts';
import type { Surroundings } from './commands/command-context.ts';
import { describeFailure } from './describe-failure.ts';

/** Runs a command to its end, and tells why where it failed. Gives the exit code of the program. */
export async function runCommandLine(
  args: readonly string[],
  surroundings: Omit<Surroundings, 'answerNo'> & { serve: (config: Config) => Promise<void> },
): Promise<number> {
  let exitCode = 0;
  const answerNo = () => {
    exitCode = 1;
  };
  try {
    await buildCommandLine({ ...surroundings, answerNo }).parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has said itself what is wrong with the arguments, and ends with 0 after its help.
    if (error instanceof CommanderError && !(error instanceof InvalidArgumentError)) return error.exitCode;
    surroundings.tell(describeFailure(error));
    return 1;
  }
}
