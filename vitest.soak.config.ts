import { globSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

// Read by @tps/testing/soak: the tests that kill processes repeat it often.
process.env.TEST_SOAK = 'true';

/** The tests that have a long variant. `npm test` runs their short one. */
const SOAKED = [
  'acceptance/src/{agent,backup,webhooks}/*crash.test.ts',
  'acceptance/src/service/crash.test.ts',
  'acceptance/src/webhooks/webhook-cluster.test.ts',
  'packages/server/src/features/jobs/engine/job-crash.test.ts',
  'packages/server/src/features/tenants/purge-due-tenants.test.ts',
];

const soaked = SOAKED.flatMap((pattern) => {
  const files = globSync(pattern);
  if (files.length === 0) throw new Error(`No test matches ${pattern}.`);
  return files;
});

export default defineConfig({
  test: {
    ...config.test,
    projects: (config.test?.projects ?? [])
      .filter((project) => typeof project === 'object' && 'test' in project && project.test?.name !== 'unit')
      .map((project) => {
        if (typeof project !== 'object' || !('test' in project)) return project;
        const include = project.test?.include?.filter((file) => soaked.includes(file)) ?? [];
        return { ...project, test: { ...project.test, include } };
      }),
  },
});
