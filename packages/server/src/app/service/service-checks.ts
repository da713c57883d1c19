import type { Database } from '../../database/index.ts';
import { countGivenUpWebhooks, type ServiceCheck } from '../../features/notices/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import { loadTlsContext } from '../../platform/tls/tls-files.ts';
import { checkDisk } from '../check/check-installation.ts';
import type { Problem } from '../check/problem.ts';
import { describeFailure } from '../describe-failure.ts';

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
    scope: 'process',
    whatToDo: 'Run tps check on this machine. Requests fail with 503 until the store accepts writes again.',
    findProblem: () =>
      database.assertWritable().then(
        () => undefined,
        () => 'The store does not accept writes',
      ),
  };
}

function whileTrue(
  name: string,
  isFailing: () => boolean,
  { problem, whatToDo }: { problem: string; whatToDo: string },
): ServiceCheck {
  return { name, scope: 'process', whatToDo, findProblem: () => (isFailing() ? problem : undefined) };
}

function webhookCheck({ database }: CheckedParts): ServiceCheck {
  return {
    name: 'webhooks',
    scope: 'installation',
    whatToDo:
      'Their tenants have an incident of category monitoring with the reason. A lost secret has to be replaced: tps webhooks rotate-secret.',
    async findProblem() {
      const count = await countGivenUpWebhooks(database.read);
      return count === 0
        ? undefined
        : `Webhooks were disabled because they failed or their secret is lost: ${count}`;
    },
  };
}

function certificateCheck({ config: { tls }, clock }: CheckedParts): ServiceCheck {
  return {
    name: 'certificate',
    scope: 'process',
    whatToDo: 'Replace the files of SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE. No restart is needed.',
    findProblem() {
      if (!tls) return undefined;
      try {
        return loadTlsContext(tls, clock.now()).warnings[0];
      } catch (error) {
        return describeFailure(error);
      }
    },
  };
}

function diskCheck({ config }: CheckedParts): ServiceCheck {
  return {
    name: 'disk',
    scope: 'process',
    whatToDo: 'Free up space on this disk, or move the store (SERVICE_DATABASE_URL).',
    async findProblem() {
      const problems: Problem[] = [];
      await checkDisk(config, problems);
      return problems[0]?.message;
    },
  };
}
