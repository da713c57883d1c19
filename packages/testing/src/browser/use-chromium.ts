import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { beforeEach } from 'vitest';
import { useFixture } from '../fixture/use-fixture.ts';

/** In order of preference. Tests take about 30 % less time with the headless shell than with Chromium. */
const PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/**
 * Routing all requests through the test instead takes a third more processor time. A proxy in the environment would
 * resolve names itself, so none is used.
 */
const LOOPBACK_ONLY = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  '--proxy-server=direct://',
];

/** A browser that reaches only 127.0.0.1 and localhost. */
export interface Chromium {
  /** Opens a separate profile: no cookies, no cache. It is closed with the browser. */
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
}

/**
 * Runs Chromium for the tests of a file, or of the `describe` it stands in. Where it is not installed, they are
 * skipped, or fail if `REQUIRE_CHROMIUM` is 1.
 */
export function useChromium(): Chromium {
  const executablePath = PATHS.find((path) => existsSync(path));
  beforeEach(({ skip }) => {
    if (executablePath !== undefined) return;
    const reason = `Chromium is not installed: none of ${PATHS.join(', ')}`;
    if (process.env.REQUIRE_CHROMIUM === '1') throw new Error(reason);
    skip(reason);
  });
  return useFixture<Chromium & { close(): Promise<void> }>(
    async () => {
      const browser: Browser | undefined =
        executablePath === undefined
          ? undefined
          : // CI runs as root, where Chromium has no sandbox; it only sees pages of this repository.
            await chromium.launch({ executablePath, args: ['--no-sandbox', ...LOOPBACK_ONLY] });
      return {
        async newContext(options) {
          if (!browser) throw new Error('Chromium is not installed');
          return browser.newContext(options);
        },
        close: async () => browser?.close(),
      };
    },
    { close: (one) => one.close() },
  );
}
