import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { CommandContext } from '../command-context.ts';
import { CommandError, ExitError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import { createOutageReport } from '../output/report-outage.ts';
import type { ExportTarget } from './export-target.ts';

interface CommandTargetOptions {
  readonly context: CommandContext;
  /** Ends the retries, and a command that is still running `STOP_MS` later. */
  readonly stop: AbortSignal;
  /** Retries without limit; otherwise a few times. */
  readonly isEndless: boolean;
  /** A command that runs longer is ended, and its page sent again (default: `MAX_RUN_MS`). */
  readonly maxRunMs?: number;
  /** Returns the pause after the nth failure in a row. */
  readonly pauseMs?: (failed: number) => number;
}

/** With the pauses between them, these take about eight seconds. */
const MAX_ATTEMPTS = 5;
const MAX_RUN_MS = 300_000;
const STOP_MS = 2_000;

/**
 * Runs a shell command for each page, with the page on its standard input. The exit code 0 acknowledges the page. After
 * any other end, also by the time limit, the same page is sent again, so the command can receive a page twice.
 *
 * `write` throws a CommandError when the command keeps failing, and an ExitError after `stop`.
 */
export function commandTarget(command: string, options: CommandTargetOptions): ExportTarget {
  const { context, stop, isEndless, pauseMs = growingPauseMs } = options;
  const onFailure = createOutageReport(context);
  return {
    async write(text) {
      for (let failed = 1; !stop.aborted; failed += 1) {
        const failure = await runCommand(command, text, options);
        if (failure === undefined) return;
        if (stop.aborted) break;
        if (!isEndless && failed === MAX_ATTEMPTS) throw keptFailing(failure);
        onFailure(failure, failed);
        await pause(pauseMs(failed), undefined, { signal: stop }).catch(() => undefined);
      }
      throw await stopped(context, isEndless);
    },
    settle: async () => null,
    close: async () => undefined,
  };
}

function growingPauseMs(failed: number): number {
  return Math.min(60_000, 500 * 2 ** (failed - 1));
}

/** Resolves with undefined when the command has acknowledged the text, and otherwise with the reason. */
function runCommand(
  command: string,
  text: string,
  { context, stop, maxRunMs = MAX_RUN_MS }: CommandTargetOptions,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    // The leader of a group, so that all programs of the command can be ended.
    const child = spawn(command, {
      shell: true,
      detached: true,
      cwd: context.directory,
      env: { ...context.env },
      stdio: ['pipe', 'inherit', 'inherit'],
    });
    const end = () => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    };
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      end();
    }, maxRunMs);
    let grace: NodeJS.Timeout | undefined;
    const onStop = () => {
      grace = setTimeout(end, STOP_MS);
    };
    stop.addEventListener('abort', onStop);
    const settle = (reason: string | undefined) => {
      clearTimeout(limit);
      clearTimeout(grace);
      stop.removeEventListener('abort', onStop);
      resolve(reason);
    };
    let hasTakenAll = false;
    child.once('error', (error) => settle(`The command did not start: ${error.message}.`));
    // `exit`, not `close`: a program that the command left running may hold the pipe.
    child.once('exit', (code, signal) => {
      if (isLate) settle(`The command did not end within ${maxRunMs / 1000} s.`);
      else if (code !== 0) settle(`The command ended with ${code === null ? signal : `exit code ${code}`}.`);
      else settle(hasTakenAll ? undefined : 'The command ended before it had read the whole page.');
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

async function stopped({ stderr }: CommandContext, isEndless: boolean): Promise<ExitError> {
  const text = 'Stopped. The last page is not acknowledged; the next run sends it again.\n';
  await stderr.write(text).catch(() => undefined);
  return new ExitError(isEndless ? EXIT.ok : EXIT.interrupted);
}
