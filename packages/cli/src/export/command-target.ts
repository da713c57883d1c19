import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { CommandContext } from '../command-context.ts';
import { CommandError, ExitError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { createOutageReport } from '../output/report-outage.ts';
import type { ExportTarget } from './export-target.ts';

interface CommandTargetOptions {
  readonly context: CommandContext;
  /** Retries without limit until this signal is aborted; without it, a few times. */
  readonly stop?: AbortSignal | undefined;
  /** Returns the pause after the nth failure in a row. */
  readonly pauseMs?: (failed: number) => number;
}

/** With the pauses between them, these take about eight seconds. */
const MAX_ATTEMPTS = 5;

/**
 * Runs a shell command for each page, with the page on its standard input. The exit code 0 acknowledges the page. After
 * any other end the same page is sent again, so the command can receive a page twice.
 *
 * `write` throws a CommandError when the command keeps failing, and an ExitError when `stop` ended the retries.
 */
export function commandTarget(
  command: string,
  { context, stop, pauseMs = growingPauseMs }: CommandTargetOptions,
): ExportTarget {
  const onFailure = createOutageReport(context);
  return {
    async write(text) {
      for (let failed = 1; ; failed += 1) {
        const failure = await runCommand(command, text, context);
        if (failure === undefined) return;
        if (!stop && failed === MAX_ATTEMPTS) throw keptFailing(failure);
        onFailure(failure, failed);
        await pause(pauseMs(failed), undefined, stop ? { signal: stop } : {}).catch(() => undefined);
        if (stop?.aborted) throw await stopped(context);
      }
    },
    settle: async () => null,
    close: async () => undefined,
  };
}

function growingPauseMs(failed: number): number {
  return Math.min(60_000, 500 * 2 ** (failed - 1));
}

/** Resolves with undefined when the command has acknowledged the text, and otherwise with the reason. */
function runCommand(command: string, text: string, context: CommandContext): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(command, {
      shell: true,
      cwd: context.directory,
      env: { ...context.env },
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    let hasTakenAll = false;
    child.once('error', (error) => resolve(`The command did not start: ${error.message}.`));
    // `exit`, not `close`: a program that the command left running may hold the pipe.
    child.once('exit', (code, signal) => {
      if (code !== 0) resolve(`The command ended with ${code === null ? signal : `exit code ${code}`}.`);
      else resolve(hasTakenAll ? undefined : 'The command ended before it had read the whole page.');
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(text, (error?: Error | null) => {
      hasTakenAll = !error;
    });
  });
}

function keptFailing(failure: string): CommandError {
  const message = `${failure} It failed ${MAX_ATTEMPTS} times. The page is not acknowledged; the next run with the same cursor file sends it again.`;
  return new CommandError(message, { code: 'command_failed', exitCode: EXIT.failure });
}

async function stopped({ stderr }: CommandContext): Promise<ExitError> {
  const text = 'Stopped. The last page is not acknowledged; the next run sends it again.\n';
  await stderr.write(text).catch(() => undefined);
  return new ExitError(EXIT.ok);
}
