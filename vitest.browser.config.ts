import { defineConfig } from 'vitest/config';
import config, { BROWSER_TESTS, BUILD_CONSOLE, shared } from './vitest.config.ts';

/** What Chromium makes of the console and of other pages, and the agent in a page. */
export default defineConfig({
  test: {
    ...config.test,
    projects: [
      {
        test: {
          ...shared,
          name: 'browser',
          include: BROWSER_TESTS,
          env: { TEST_STORE: 'sqlite' },
          globalSetup: [BUILD_CONSOLE],
        },
      },
    ],
  },
});
