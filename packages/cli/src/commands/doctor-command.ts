import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { type Connection, currentCredential } from '../connection/connection.ts';
import { checkCredential } from '../doctor/check-credential.ts';
import { checkNode, checkProfiles } from '../doctor/check-machine.ts';
import { checkOperator } from '../doctor/check-operator.ts';
import { type CheckResult, fail, toReason, warn } from '../doctor/check-result.ts';
import { checkService } from '../doctor/check-service.ts';
import { CommandError, ExitError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { printDocument, printLine } from '../output/print.ts';
import { sanitizeLine } from '../output/sanitize.ts';
import { openSession, type Session } from '../session.ts';
import { examples } from './examples.ts';

const NOTES = `
Checks Node, the saved profiles, the connection, the certificate, the clock, the credential and its scopes, and the
versions. If the settings of a service are available (tps.env in this directory, or SERVICE_ variables), it also checks
them, the store, the secret key, file permissions and the disk. It changes nothing. The exit code is 1 when a check
fails. \`tps verify\` additionally checks that no stored event was changed.
`;

/** Adds `tps doctor`. */
export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description('check for common problems and show how to fix them')
    .addHelpText(
      'after',
      NOTES + examples('tps doctor', 'tps doctor --json | jq \'.findings[] | select(.state != "ok")\''),
    )
    .action(async (_options: object, command: Command) => {
      const session = openSession(context, command);
      const results: CheckResult[] = [];
      for await (const result of checkAll(session, command.parent?.version() ?? '')) {
        results.push(result);
        if (session.format !== 'json') await printResult(session, result);
      }
      const failed = results.filter(({ state }) => state === 'fail').length;
      if (session.format === 'json')
        await printDocument(session, { ok: failed === 0, findings: results.map(toDocument) });
      if (failed > 0) throw new ExitError(EXIT.failure);
    });
}

/** Runs the checks one after another and yields each result at once. */
async function* checkAll(session: Session, version: string): AsyncGenerator<CheckResult> {
  const { context } = session;
  const nowMs = Date.now();
  yield checkNode(process.version);
  const profiles = await checkProfiles(context.env);
  yield profiles;
  const connection = profiles.state === 'fail' ? undefined : await session.connection().catch(toResult);
  if (connection && 'state' in connection) yield connection;
  else if (connection) yield* checkRemote(connection, { nowMs, version });
  try {
    yield* await checkOperator(context, nowMs);
  } catch (error) {
    yield fail('settings', toReason(error), 'Make the file readable, or remove it.');
  }
}

async function* checkRemote(
  connection: Connection,
  { nowMs, version }: { nowMs: number; version: string },
): AsyncGenerator<CheckResult> {
  const { url, tenant } = connection;
  const results = await checkService(url, nowMs);
  yield* results;
  // The credential is sent only to a service whose identity is verified.
  const isTrusted = results.every(({ state, check }) => state !== 'fail' || check === 'clock');
  if (!isTrusted) return;
  const credential = await currentCredential(connection).catch(toCredentialFault);
  if (typeof credential !== 'string') yield credential;
  else yield* await checkCredential({ url, credential, tenant, version });
}

/** The sign-in of the profile has ended, or the authorization server does not respond. */
function toCredentialFault(error: unknown): CheckResult {
  return fail('credential', `There is no access token: ${toReason(error)}`, 'Sign in again: tps login');
}

/** Without a login the store on this machine can still be checked. */
function toResult(error: unknown): CheckResult {
  if (!(error instanceof CommandError)) throw error;
  return warn('connection', error.message, 'Then run `tps doctor` again.');
}

async function printResult(session: Session, result: CheckResult): Promise<void> {
  if (session.format === 'ndjson') return printDocument(session, toDocument(result));
  const { palette } = session;
  const paint = { ok: palette.green, warn: palette.yellow, fail: palette.red }[result.state];
  await printLine(
    session,
    `${paint(result.state.padEnd(5))} ${result.check}: ${sanitizeLine(result.message)}`,
  );
  if (result.fix !== undefined) await printLine(session, `      ${palette.dim('→')} ${result.fix}`);
}

/** The document of a result. Its member for the fix keeps the name of version 0.1. */
function toDocument({ check, state, message, fix }: CheckResult) {
  return { check, state, message, mend: fix };
}
