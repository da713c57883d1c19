import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';

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

export interface SlowPage {
  readonly page: Page;
  readonly devtools: CDPSession;
  /** Slows the processor, and with `network` the network as well. */
  slowDown(options?: { network?: boolean }): Promise<void>;
}

export function startChromium(): Promise<Browser> {
  // CI runs as root, where Chromium has no sandbox; it only sees pages of this repository.
  return chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox'],
  });
}

export async function openSlowPage(context: BrowserContext): Promise<SlowPage> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  return {
    page,
    devtools,
    async slowDown({ network = false } = {}) {
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
      if (network) await devtools.send('Network.emulateNetworkConditions', NETWORK);
    },
  };
}
