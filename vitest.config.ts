import { globSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { createImportSearch } from './packages/testing/src/plan/imports-of.ts';
import { createPostgresChoice } from './packages/testing/src/plan/needs-postgres.ts';

// Test stores are in memory where there is room: on a disk, each commit waits 1 ms or more for fsync. A file in memory
// survives kill -9 of its process as a file on a disk does.
const MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 2 ** 31;
if (!process.env.TMPDIR && freeBytesIn(MEMORY) >= MIN_FREE_BYTES) process.env.TMPDIR = MEMORY;

// Compiled code is shared by the workers and the processes they start: a start of the service takes 0.9 s of CPU time
// instead of 1.5 s.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node-compile');

export const shared = {
  // Ends a test that hangs, not one that is slow: machines differ, and other work runs on them.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 30_000 } },
  execArgv: ['--conditions=source', '--disable-warning=ExperimentalWarning'],
  // Modules keep no state, and loading everything again for each file took a quarter of the time.
  isolate: false,
  // Node loads the TypeScript files, as it does for users: no second loader and no transform.
  experimental: { viteModuleRunner: false, nodeLoader: false },
};

const imports = createImportSearch(import.meta.dirname);
/** Tests that open a store run on both engines, all others once. */
const opensStore = (file: string) => imports(file, 'packages/testing/src/store/test-store.ts');
/** What a browser makes of a page: slow, and the same on any store. `npm run test:browser` runs these files. */
const usesBrowser = (file: string) => imports(file, 'packages/testing/src/browser/use-chromium.ts');
const find = (pattern: string) => globSync(pattern, { cwd: import.meta.dirname });
const ALL_SERVICE_TESTS = find('{packages/server,acceptance}/src/**/*.test.ts');
const SERVICE_TESTS = ALL_SERVICE_TESTS.filter((file) => !usesBrowser(file));
export const BROWSER_TESTS = ALL_SERVICE_TESTS.filter(usesBrowser);
const OTHER_TESTS = find('{packages/!(server),tools/*,scripts}/src/**/*.test.ts');

/** What is the same on any store. */
const ON_SQLITE_ALONE = [
  'acceptance/src/{agent,console,docs,helm,metrics,scan,tps}/*.test.ts',
  'acceptance/src/{api/client,service/{tls,closed-output,hostile-connections,secrets-nowhere}}.test.ts',
  'acceptance/src/oauth/{malformed-requests,redirects}.test.ts',
  'packages/server/src/features/scan/configured-scanners.test.ts',
  'packages/server/src/app/http/{access-log,component-down}.test.ts',
  'packages/server/src/app/telemetry/*.test.ts',
  // Its reads are those of triage-cases.test.ts.
  'packages/server/src/features/triage/attacker.test.ts',
];

/** Measures processor time, which other work on the machine stretches: runs alone, by `npm run test:budget`. */
export const MEASURED_ALONE = 'acceptance/src/budget/*.test.ts';

/** Needs the files of a release, which take long to build: `npm run test:release`. */
export const FROM_RELEASE = 'acceptance/src/release/*.test.ts';

/** `npm test` sends every statement to PostgreSQL. With TEST_SOAK, or `--project`, every test runs there. */
const isWhole = process.env.TEST_SOAK === 'true' || process.argv.some((arg) => arg.startsWith('--project'));
const runsOnPostgres = isWhole ? () => true : createPostgresChoice(import.meta.dirname);

export const BUILD_CONSOLE = 'scripts/src/console-build/before-tests.ts';

const onSqlite = {
  test: {
    ...shared,
    name: 'sqlite',
    // An acceptance test without a store of the tests runs commands that open one on SQLite.
    include: SERVICE_TESTS.filter((file) => opensStore(file) || file.startsWith('acceptance/')),
    exclude: ['**/database/postgres/**', MEASURED_ALONE, FROM_RELEASE],
    env: { TEST_STORE: 'sqlite' },
    globalSetup: [BUILD_CONSOLE],
  },
};

const onPostgres = {
  test: {
    ...shared,
    name: 'postgres',
    include: SERVICE_TESTS.filter((file) => opensStore(file) && runsOnPostgres(file)),
    exclude: ['**/database/sqlite/**', MEASURED_ALONE, FROM_RELEASE, ...ON_SQLITE_ALONE],
    env: { TEST_STORE: 'postgres' },
    globalSetup: [BUILD_CONSOLE, 'packages/testing/src/store/postgres-setup.ts'],
    setupFiles: [
      'packages/testing/src/store/expect-postgres.ts',
      ...(process.env.RECORD_STATEMENTS ? ['packages/testing/src/plan/record-statements.ts'] : []),
    ],
  },
};

/** The slowest files, about a minute each. They start first, because otherwise the other workers are idle at the end. */
const SLOW_FILES =
  /\/(?:console\/(?:cuts|every-page|lists|newcomer)|agent-crash|auto-replay|ending-races|service\/(?:crash|writer-thread-crash)|webhook-crash|purge-due-tenants)\.test\.ts$/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // A worker runs files of one project only, so the order of the projects is kept.
    const projects = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    const isLong = ({ moduleId }: TestSpecification) => SLOW_FILES.test(moduleId);
    return [...projects.values()].flatMap((all) => [
      ...all.filter(isLong),
      ...all.filter((file) => !isLong(file)),
    ]);
  }
}

function freeBytesIn(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

export default defineConfig({
  test: {
    pool: 'forks',
    // More than there are processors where CI runs: much of what is tested waits for disks and clocks.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: [
            ...OTHER_TESTS,
            ...SERVICE_TESTS.filter((file) => !opensStore(file) && file.startsWith('packages/')),
          ],
        },
      },
      onSqlite,
      onPostgres,
    ],
  },
});
