import { type Command, CommanderError } from 'commander';
import type { CommandContext } from './command-context.ts';
import { ExitError, usageError } from './output/command-error.ts';
import { describeFailure } from './output/describe-failure.ts';
import { EXIT, type ExitCode } from './output/exit-codes.ts';
import { ClosedOutputError } from './output/output.ts';
import { sanitizeLine, toSafeJson } from './output/sanitize.ts';
import { buildProgram } from './program.ts';

export type { CommandContext } from './command-context.ts';
export { toOutput } from './output/output.ts';

/** Runs one command line and returns the exit code. Never throws: errors go to the standard error. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  const writes: Promise<void>[] = [];
  const program = buildProgram(context);
  // The log of the service is JSON, also when it does not start.
  const isLog = args[0] === 'serve' && !context.stderr.isTerminal;
  const isJson = isLog || args.includes('--json') || args.includes('--ndjson');
  prepare(program, {
    out: (text) => void writes.push(context.stdout.write(text)),
    // With --json the error is printed as a document instead.
    error: (text) => void (isJson || writes.push(context.stderr.write(text))),
  });
  const exitCode = await parse(program, args, { context, isJson });
  await Promise.allSettled(writes);
  return exitCode;
}

async function parse(
  program: Command,
  args: readonly string[],
  options: { context: CommandContext; isJson: boolean },
): Promise<number> {
  try {
    await program.parseAsync(toHelpOption(program, args), { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    if (error instanceof ClosedOutputError) return EXIT.ok;
    if (error instanceof ExitError) return error.exitCode;
    if (!(error instanceof CommanderError)) return reportFailure(error, options);
    const exitCode = toExitCode(error);
    if (exitCode === EXIT.ok) return exitCode;
    const hint = hintFor(error, args);
    if (options.isJson) return reportFailure(usageError(`${toSentence(error)}${hint}`), options);
    if (hint !== '') await options.context.stderr.write(`${hint.trim()}\n`).catch(() => undefined);
    return exitCode;
  }
}

/**
 * Turns `help incidents show` into `incidents show --help`. Commander would print the help of the program for a command
 * that it does not know: without the request for help, it reports the command and suggests another.
 */
function toHelpOption(program: Command, args: readonly string[]): readonly string[] {
  const isHelp = (word: string) => word === '--help' || word === '-h';
  const isAsked = args[0] === 'help' || args.some(isHelp);
  const words = args[0] === 'help' ? args.slice(1) : args;
  if (!isAsked || words[0] === undefined || words[0].startsWith('-')) return args;
  let command: Command = program;
  for (const word of words) {
    // Operator commands know their own subcommands.
    if (command.commands.length === 0 || word.startsWith('-')) break;
    const child = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (child === undefined && word !== 'help') return words.filter((each) => !isHelp(each));
    command = child ?? command;
  }
  return words.some(isHelp) ? words : [...words, '--help'];
}

/** The URL of a webhook is an argument. `--url` is an option of the program. */
function hintFor({ code }: CommanderError, args: readonly string[]): string {
  const isAboutUrl = /^commander\.(?:missingArgument|optionMissingArgument)$/.test(code);
  const hasOption = args.some((word) => word === '--url' || word.startsWith('--url='));
  if (!isAboutUrl || !hasOption || !args.includes('webhooks')) return '';
  return ' --url is the URL of the service. The URL of a webhook is an argument: tps webhooks create https://example.com/hooks';
}

/** Commander has printed the error. Requested help is a success; help printed because a command is missing is not. */
function toExitCode({ code, exitCode }: CommanderError): ExitCode {
  const isSuccess = exitCode === 0 || code === 'commander.version' || code === 'commander.helpDisplayed';
  return isSuccess ? EXIT.ok : EXIT.usage;
}

function toSentence({ code, message }: CommanderError): string {
  return code === 'commander.help' ? 'A command is required. See --help.' : message.replace(/^error: /, '');
}

interface Writers {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/** Applies the settings to every command: commander passes them on only to commands added later. */
function prepare(command: Command, { out, error }: Writers): void {
  command.exitOverride().configureOutput({ writeOut: out, writeErr: error });
  for (const child of command.commands) prepare(child, { out, error });
}

/** Prints an error as one sentence, or as a JSON document with --json. Returns the exit code. */
async function reportFailure(
  error: unknown,
  { context, isJson }: { context: CommandContext; isJson: boolean },
): Promise<ExitCode> {
  const { message, code, status, requestId, problems = [], exitCode } = await describeFailure(error);
  const listed = problems.length > 1 ? { problems } : {};
  const details = [code, requestId && `request ${requestId}`].filter(Boolean).join(', ');
  const text = isJson
    ? toSafeJson({ error: { code, message, status, request_id: requestId, exit_code: exitCode, ...listed } })
    : `tps: ${sanitizeLine(message)} (${sanitizeLine(details)})`;
  // A closed standard error is ignored.
  await context.stderr.write(`${text}\n`).catch(() => undefined);
  return exitCode;
}
