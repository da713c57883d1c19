import { findFreePort } from '@tps/testing/network';
import { type Browser, chromium } from 'playwright-core';
import { connectDevtools } from './devtools.ts';
import { openUnwatchedPage, type UnwatchedPage } from './unwatched-page.ts';

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Four times slower than this machine, as a phone of the middle class is. */
const CPU_SLOWDOWN = 4;
/** What Lighthouse uses for phones, once named "fast 3G": 150 ms per round trip, 1.6 Mbit/s down, 750 kbit/s up. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};

export interface SlowPage extends UnwatchedPage {
  /** Slows the processor, and with `network` the network as well. */
  slowDown(options?: { network?: boolean }): Promise<void>;
}

export interface SlowBrowser {
  /** For signing in. */
  readonly browser: Browser;
  /** Takes the sign-in of the browser for the pages that follow. */
  signIn(cookies: readonly object[]): Promise<void>;
  openPage(): Promise<SlowPage>;
  close(): Promise<void>;
}

export async function startSlowBrowser(): Promise<SlowBrowser> {
  const port = await findFreePort();
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    // CI runs as root, where Chromium has no sandbox; it only sees pages of this repository.
    args: ['--no-sandbox', `--remote-debugging-port=${port}`],
  });
  const devtools = await connectDevtools(port);
  // Playwright leaves contexts alone that it has not created.
  const { browserContextId } = await devtools.send<{ browserContextId: string }>(
    'Target.createBrowserContext',
  );
  return {
    browser,
    signIn: async (cookies) =>
      void (await devtools.send('Storage.setCookies', { browserContextId, cookies })),
    openPage: async () => {
      const page = await openUnwatchedPage(devtools, browserContextId);
      await page.send('Network.enable');
      return {
        ...page,
        async slowDown({ network = false } = {}) {
          await page.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
          if (network) await page.send('Network.emulateNetworkConditions', NETWORK);
        },
      };
    },
    close: async () => {
      devtools.close();
      await browser.close();
    },
  };
}
