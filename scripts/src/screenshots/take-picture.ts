import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Shot } from './shots.ts';

interface Look {
  /** Ends the name of the file. */
  readonly name: string;
  readonly context: BrowserContextOptions;
}

const WIDE = { width: 1280, height: 800 };
/** Without the policy of the page, so that the expressions of this script run in it. */
const STILL = { reducedMotion: 'reduce', bypassCSP: true } as const;
const NARROW = { width: 390, height: 844 };

export const LOOKS: readonly Look[] = [
  { name: 'light', context: { viewport: WIDE, colorScheme: 'light', ...STILL } },
  { name: 'dark', context: { viewport: WIDE, colorScheme: 'dark', ...STILL } },
  { name: 'narrow-light', context: { viewport: NARROW, colorScheme: 'light', ...STILL } },
  { name: 'narrow-dark', context: { viewport: NARROW, colorScheme: 'dark', ...STILL } },
];

export async function takePicture(
  context: BrowserContext,
  { shot, address, file }: { shot: Shot; address: string; file: string },
): Promise<void> {
  const page = await context.newPage();
  try {
    await page.goto(`${address}${shot.path}`);
    await untilShown(page);
    if (shot.opens) {
      const row = page.locator('[role=row][data-id]').first();
      const id = await row.getAttribute('data-id');
      await page.goto(`${address}${shot.path}${shot.opens === 'page' ? `/${id}` : `?open=${id}`}`);
      await untilShown(page);
    }
    await page.screenshot({ path: file });
  } finally {
    await page.close();
  }
}

/** Waits until the page has its heading and nothing on it is loading. Live pages always have requests under way. */
async function untilShown(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await page.waitForFunction(
    `document.querySelector('main [aria-busy="true"], main .mantine-Skeleton-root') === null`,
  );
  await page.evaluate('document.fonts.ready');
}
