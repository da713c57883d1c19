import type { Database } from '../../database/index.ts';
import { countGivenUpWebhooks, type Level, type ServiceCheck } from '../../features/notices/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import { loadTlsContext } from '../../platform/tls/tls-files.ts';
import { checkDisk } from '../check/check-installation.ts';
import type { Problem } from '../check/problem.ts';
import { describeFailure } from '../describe-failure.ts';

/** Below this, the disk is as good as full: the log of the store alone can grow by more. */
const CRITICAL_FREE_BYTES = 64 * 1024 * 1024;

/** The parts that checks look at. */
export interface CheckedParts {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly push: { readonly dispatcher: { isRunning(): boolean } };
  readonly worker: { isRunning(): boolean };
  readonly analyzer: { isUp(): boolean };
  readonly eventWriter: { isStuck(): boolean };
}

/** Returns the checks of the service by itself. Each is cheap: they run four times a minute. */
export function serviceChecks(parts: CheckedParts): ServiceCheck[] {
  const { push, worker, analyzer, eventWriter } = parts;
  return [
    storeCheck(parts),
    whileTrue('events', () => eventWriter.isStuck(), {
      problem: 'Events cannot be stored',
      whatToDo: 'Look for errors of the writer thread in the log, then restart the service.',
    }),
    whileTrue('deliveries', () => !push.dispatcher.isRunning(), {
      problem: 'Webhook delivery is not running',
      whatToDo: 'Look for "webhook" in the log. If the store works, restart the service.',
    }),
    whileTrue('jobs', () => !worker.isRunning(), {
      problem: 'Triage jobs are not running',
      whatToDo: 'Look for "job" in the log. If the store works, restart the service.',
    }),
    whileTrue('scans', () => !analyzer.isUp(), {
      problem: 'Scans do not classify texts and links: the models could not be loaded',
      whatToDo: 'Run tps check, and see SERVICE_SCAN_MODEL.',
    }),
    webhookCheck(parts),
    certificateCheck(parts),
    diskCheck(parts),
  ];
}

function storeCheck({ database }: CheckedParts): ServiceCheck {
  return {
    name: 'store',
    levelWhenLate: 'critical',
    whatToDo: 'Run tps check on this machine. Requests fail with 503 until the store accepts writes again.',
    findProblem: () =>
      database.assertWritable().then(
        () => undefined,
        () => ({ level: 'critical', problem: 'The store does not accept writes' }) as const,
      ),
  };
}

function whileTrue(
  name: string,
  isFailing: () => boolean,
  { problem, whatToDo }: { problem: string; whatToDo: string },
): ServiceCheck {
  const findProblem = () => (isFailing() ? ({ level: 'critical', problem } as const) : undefined);
  return { name, levelWhenLate: null, whatToDo, findProblem };
}

function webhookCheck({ database }: CheckedParts): ServiceCheck {
  return {
    name: 'webhooks',
    levelWhenLate: null,
    whatToDo:
      'Their tenants have an incident of category monitoring with the reason. A lost secret has to be replaced: tps webhooks rotate-secret.',
    async findProblem() {
      const count = await countGivenUpWebhooks(database.read);
      if (count === 0) return undefined;
      const problem = `Webhooks were disabled because they failed or their secret is lost: ${count}`;
      return { level: 'warning', problem };
    },
  };
}

function certificateCheck({ config: { tls }, clock }: CheckedParts): ServiceCheck {
  return {
    name: 'certificate',
    levelWhenLate: null,
    whatToDo: 'Replace the files of SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE. No restart is needed.',
    findProblem() {
      if (!tls) return undefined;
      try {
        const {
          warnings: [problem],
          isValid,
        } = loadTlsContext(tls, clock.now());
        return problem === undefined ? undefined : { level: isValid ? 'warning' : 'critical', problem };
      } catch (error) {
        return { level: 'critical', problem: describeFailure(error) };
      }
    },
  };
}

function diskCheck({ config }: CheckedParts): ServiceCheck {
  return {
    name: 'disk',
    levelWhenLate: 'warning',
    whatToDo: 'Free up space on this disk, or move the store (SERVICE_DATABASE_URL).',
    async findProblem() {
      const problems: Problem[] = [];
      const disk = await checkDisk(config, problems);
      const [problem] = problems;
      const level: Level = disk && disk.free_bytes < CRITICAL_FREE_BYTES ? 'critical' : 'warning';
      return problem && { level, problem: problem.message };
    },
  };
}
