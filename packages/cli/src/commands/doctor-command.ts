import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import type { Connection } from '../connection/connection.ts';
import { checkCredential } from '../doctor/check-credential.ts';
import { checkNode, checkProfiles } from '../doctor/check-machine.ts';
import { checkOperator } from '../doctor/check-operator.ts';
import { type CheckResult, fail, reasonOf, warn } from '../doctor/check-result.ts';
import { checkService } from '../doctor/check-service.ts';
import { CommandError, ExitError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { printDocument, printLine } from '../output/print.ts';
import { sanitizeLine } from '../output/sanitize.ts';
import { openSession, type Session } from '../session.ts';
import { examples } from './examples.ts';

const NOTES = `
Checks what usually goes wrong, and says how to mend it: Node, saved profiles, the connection, the certificate, the
clock, the credential and its scopes, and versions. Where the service's settings are at hand (tps.env in this folder, or
SERVICE_ variables) also those, its store, its key, its files' modes and the disk. It changes nothing, and ends with 1
when something fails. \`tps verify\` checks in addition that no stored event was changed.
`;

/** Adds the command that looks for what is wrong. */
export function addDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description('look for what is wrong, and say how to mend it')
    .addHelpText(
      'after',
      NOTES + examples('tps doctor', 'tps doctor --json | jq \'.findings[] | select(.state != "ok")\''),
    )
    .action(async (_options: object, command: Command) => {
      const session = openSession(context, command);
      const findings: CheckResult[] = [];
      for await (const finding of examine(session, command.parent?.version() ?? '')) {
        findings.push(finding);
        if (session.format !== 'json') await printFinding(session, finding);
      }
      const failed = findings.filter(({ state }) => state === 'fail').length;
      if (session.format === 'json') await printDocument(session, { ok: failed === 0, findings });
      if (failed > 0) throw new ExitError(EXIT.failure);
    });
}

/** Finds one thing after the other, so that whoever waits sees how far it is. */
async function* examine(session: Session, version: string): AsyncGenerator<CheckResult> {
  const { context } = session;
  const nowMs = Date.now();
  yield checkNode(process.version);
  const profiles = await checkProfiles(context.env);
  yield profiles;
  const connection = profiles.state === 'fail' ? undefined : await session.connection().catch(toFinding);
  if (connection && 'state' in connection) yield connection;
  else if (connection) yield* examineService(connection, { nowMs, version });
  try {
    yield* await checkOperator(context, nowMs);
  } catch (error) {
    yield fail('settings', reasonOf(error), 'Make the file readable, or remove it.');
  }
}

async function* examineService(
  { url, credential, tenant }: Connection,
  { nowMs, version }: { nowMs: number; version: string },
): AsyncGenerator<CheckResult> {
  const findings = await checkService(url, nowMs);
  yield* findings;
  // A credential is not shown to whoever cannot say who they are, nor to what is no service.
  const isTrusted = findings.every(({ state, check }) => state !== 'fail' || check === 'clock');
  if (isTrusted) yield* await checkCredential({ url, credential, tenant, version });
}

/** An operator may look at a store that nobody has logged in to yet. */
function toFinding(error: unknown): CheckResult {
  if (!(error instanceof CommandError)) throw error;
  return warn('connection', error.message, 'Then run `tps doctor` again.');
}

async function printFinding(session: Session, finding: CheckResult): Promise<void> {
  if (session.format === 'ndjson') return printDocument(session, finding);
  const { palette } = session;
  const paint = { ok: palette.green, warn: palette.yellow, fail: palette.red }[finding.state];
  await printLine(
    session,
    `${paint(finding.state.padEnd(5))} ${finding.check}: ${sanitizeLine(finding.message)}`,
  );
  if (finding.mend !== undefined) await printLine(session, `      ${palette.dim('→')} ${finding.mend}`);
}
