import { type Command, CommanderError } from 'commander';
import type { CommandContext } from './command-context.ts';
import { OPERATOR_COMMANDS } from './commands/operator-commands.ts';
import { ExitError, usageError } from './output/command-error.ts';
import { EXIT, type ExitCode } from './output/exit-codes.ts';
import { ClosedOutputError } from './output/output.ts';
import { reportFailure } from './output/report-failure.ts';
import { buildProgram } from './program.ts';

/** Runs one command line. Never throws: what went wrong is on the standard error and in the exit code. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  const said: Promise<void>[] = [];
  const program = buildProgram(context);
  const isJson = args.includes('--json') || args.includes('--ndjson');
  prepare(program, {
    out: (text) => void said.push(context.stdout.write(text)),
    // Whoever wants documents gets one of what is wrong, too.
    error: (text) => void (isJson || said.push(context.stderr.write(text))),
  });
  const exitCode = await parse(program, args, { context, isJson });
  await Promise.allSettled(said);
  return exitCode;
}

async function parse(
  program: Command,
  args: readonly string[],
  surroundings: { context: CommandContext; isJson: boolean },
): Promise<number> {
  try {
    await program.parseAsync(toHelpOption(args), { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof ClosedOutputError) return EXIT.ok;
    if (error instanceof ExitError) return error.exitCode;
    if (!(error instanceof CommanderError)) return reportFailure(error, surroundings);
    const exitCode = toExitCode(error);
    if (exitCode === EXIT.ok || !surroundings.isJson) return exitCode;
    return reportFailure(usageError(toSentence(error)), surroundings);
  }
}

/** The operator's commands have their help from the service's program, which `help` before the name does not reach. */
function toHelpOption(args: readonly string[]): readonly string[] {
  const [first, second = ''] = args;
  return first === 'help' && Object.hasOwn(OPERATOR_COMMANDS, second) ? [...args.slice(1), '--help'] : args;
}

/** Commander has said already what was wrong. Help that was asked for is no failure; help for want of a command is. */
function toExitCode({ code, exitCode }: CommanderError): ExitCode {
  const isAnswer = exitCode === 0 || code === 'commander.version' || code === 'commander.helpDisplayed';
  return isAnswer ? EXIT.ok : EXIT.usage;
}

function toSentence({ code, message }: CommanderError): string {
  return code === 'commander.help' ? 'Which command? See --help.' : message.replace(/^error: /, '');
}

interface Ways {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/** Settings of commander are handed down to commands only before those are made. */
function prepare(command: Command, { out, error }: Ways): void {
  command.exitOverride().configureOutput({ writeOut: out, writeErr: error });
  for (const child of command.commands) prepare(child, { out, error });
}
