import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

// Read by @tps/testing/soak: the tests that kill processes repeat it often, and those of properties try many values.
process.env.TEST_SOAK = 'true';
const { default: config } = await import('./vitest.config.ts');

/** The tests that have a long variant. `npm test` runs their short one. */
const isSoaked = (file: string) => readFileSync(file, 'utf8').includes("from '@tps/testing/soak'");

export default defineConfig({
  test: {
    ...config.test,
    projects: (config.test?.projects ?? []).map((project) => {
      if (typeof project !== 'object' || !('test' in project)) return project;
      return {
        ...project,
        test: { ...project.test, include: project.test?.include?.filter(isSoaked) ?? [] },
      };
    }),
  },
});
