import { defineConfig } from 'vitest/config';
import config, { FROM_RELEASE, shared } from './vitest.config.ts';

/** Builds a release and uses its files alone: installs it as docs/install.md describes, and builds the container. */
export default defineConfig({
  test: {
    ...config.test,
    projects: [
      {
        test: {
          ...shared,
          testTimeout: 300_000,
          // Some tests change the umask or the environment of their process.
          isolate: true,
          name: 'release',
          include: [FROM_RELEASE],
          globalSetup: ['acceptance/src/release/build-once.ts'],
        },
      },
    ],
  },
});
