import type { Feature, SharedParts } from '../../features/feature.ts';
import type { Level, ServiceCheck } from '../../features/notices/index.ts';
import { loadTlsContext } from '../../platform/tls/tls-files.ts';
import { checkDisk } from '../check/check-installation.ts';
import type { Problem } from '../check/problem.ts';
import { describeFailure } from '../describe-failure.ts';

/** Below this, the disk is as good as full: the log of the store alone can grow by more. */
const CRITICAL_FREE_BYTES = 64 * 1024 * 1024;

/** Returns the checks of the service by itself. Each is cheap: they run four times a minute. */
export function serviceChecks(shared: SharedParts, features: readonly Feature[]): ServiceCheck[] {
  return [
    storeCheck(shared),
    certificateCheck(shared),
    diskCheck(shared),
    ...features.flatMap(({ component, checks = [] }) =>
      component ? [whileDown(component), ...checks] : checks,
    ),
  ];
}

function storeCheck({ database }: SharedParts): ServiceCheck {
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

function whileDown({ isUp, check: { problem, ...check } }: NonNullable<Feature['component']>): ServiceCheck {
  const findProblem = () => (isUp() ? undefined : ({ level: 'critical', problem } as const));
  return { ...check, levelWhenLate: null, findProblem };
}

function certificateCheck({ config: { tls }, clock }: SharedParts): ServiceCheck {
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

function diskCheck({ config }: SharedParts): ServiceCheck {
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
