import { defineConfig } from 'vitest/config';
import config, { MEASURED_ALONE } from './vitest.config.ts';

/** How long one tenant can hold the thread that serves all of them, on both stores, with nothing beside it. */
export default defineConfig({
  test: {
    ...config.test,
    maxWorkers: 1,
    projects: (config.test?.projects ?? [])
      .filter((project) => typeof project === 'object' && 'test' in project && project.test?.name !== 'unit')
      .map((project) => {
        if (typeof project !== 'object' || !('test' in project)) return project;
        const exclude = (project.test?.exclude ?? []).filter((pattern) => pattern !== MEASURED_ALONE);
        return { ...project, test: { ...project.test, include: [MEASURED_ALONE], exclude } };
      }),
  },
});
