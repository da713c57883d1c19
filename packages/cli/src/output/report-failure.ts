import type { CommandContext } from '../command-context.ts';
import { describeFailure } from './describe-failure.ts';
import type { ExitCode } from './exit-codes.ts';
import { sanitizeLine, toSafeJson } from './sanitize.ts';

/** Says what went wrong: in one sentence, or as a JSON document to whoever asked for JSON. Gives the exit code. */
export async function reportFailure(
  error: unknown,
  { context, isJson }: { context: CommandContext; isJson: boolean },
): Promise<ExitCode> {
  const { message, code, status, requestId, exitCode } = await describeFailure(error);
  const details = [code, requestId && `request ${requestId}`].filter(Boolean).join(', ');
  const text = isJson
    ? toSafeJson({ error: { code, message, status, request_id: requestId, exit_code: exitCode } })
    : `tps: ${sanitizeLine(message)} (${sanitizeLine(details)})`;
  // Where nobody reads, nothing can be said.
  await context.stderr.write(`${text}\n`).catch(() => undefined);
  return exitCode;
}
