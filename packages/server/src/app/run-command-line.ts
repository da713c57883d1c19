import { CommanderError, InvalidArgumentError } from 'commander';
import { ConfigError, loadConfig } from '../platform/config/config.ts';
import { buildCommandLine } from './command-line.ts';
import type { CommandContext } from './commands/command-context.ts';
import { describeFailure } from './describe-failure.ts';

type Serve = (env: CommandContext['env']) => Promise<void>;

/** The service did not start, or failed while it stopped. */
class ServiceFailedError extends Error {}

/** The arguments are not valid. `tps` has the same code for its own commands. */
const USAGE = 2;

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
    const isInvalid = error instanceof InvalidArgumentError;
    // Commander has printed what is wrong with the arguments. After help that was asked for it ends with 0.
    if (error instanceof CommanderError && !isInvalid) return error.exitCode === 0 ? 0 : USAGE;
    if (error instanceof ServiceFailedError) context.stderr(await toLogLine(error.cause));
    else context.stderr(describeFailure(error));
    return isInvalid ? USAGE : 1;
  }
}

/** Loads the service only here: the other commands then start in two thirds of the time. */
async function serveUntilStopped(env: CommandContext['env']): Promise<void> {
  try {
    const config = loadConfig(env);
    const { runUntilStopped } = await import('./service/run-until-stopped.ts');
    await runUntilStopped(config);
  } catch (cause) {
    // A person reads sentences. Anything else reads the log, which is JSON.
    throw process.stderr.isTTY ? cause : new ServiceFailedError('', { cause });
  }
}

async function toLogLine(error: unknown): Promise<string> {
  const { createLogger } = await import('../platform/logger.ts');
  const lines: string[] = [];
  const logger = createLogger({
    level: 'fatal',
    destination: { write: (line) => void lines.push(line.trimEnd()) },
  });
  const problems = error instanceof ConfigError ? { problems: error.problems } : {};
  logger.fatal({ reason: describeFailure(error), ...problems }, 'service failed');
  return lines.join('\n');
}
