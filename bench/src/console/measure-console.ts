import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { generateKeys, registerFleet } from '../load/signed-fleet.ts';
import { type ServiceProcess, startService } from '../servers/service-process.ts';
import type { BenchStores } from '../stores/bench-store.ts';
import { fillFeed } from '../stores/fill-feed.ts';
import type { Figures } from './budgets.ts';
import { measureTail } from './live-tail.ts';
import { acceptAdminLink } from './sign-in.ts';
import { openSlowPage, startChromium } from './slow-browser.ts';
import { loadUntilUsable, readFrames, timeRouteChange, watchFrames } from './watch-page.ts';

export const CONSOLE_GROUPS = ['load', 'pages', 'scroll', 'typing', 'tail'] as const;
export type ConsoleGroup = (typeof CONSOLE_GROUPS)[number];

interface ConsoleBench {
  readonly context: BrowserContext;
  /** The console of the tenant, without a slash at the end. */
  readonly address: string;
  readonly service: ServiceProcess;
}

/** Measures the chosen groups on a service with a long feed. */
export async function measureConsole({
  stores,
  groups,
  events,
}: {
  stores: BenchStores;
  groups: readonly ConsoleGroup[];
  events: number;
}): Promise<Figures> {
  const { url } = await stores.create('sqlite');
  const first = await startService(url);
  const tenant = await first.tenant().finally(() => first.stop());
  await fillFeed(url, { tenantId: tenant.tenantId, count: events, nowMs: Date.now() });
  const service = await startService(url);
  const browser: Browser = await startChromium();
  try {
    // Without the policy, so that the expressions of this measurement run in the page.
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, bypassCSP: true });
    // The link names the address of the first start, which had another port.
    const { pathname, search } = new URL(tenant.adminLink);
    const address = await acceptAdminLink(context, `${service.baseUrl}${pathname}${search}`);
    const bench = { context, address, service };
    return {
      ...(groups.includes('load') && (await measureLoad(bench))),
      ...(groups.includes('pages') && (await measureRouteChanges(bench))),
      ...(groups.includes('scroll') && (await measureScroll(bench, events))),
      ...(groups.includes('typing') && (await measureTyping(bench))),
      ...(groups.includes('tail') && (await measureTail(bench, await startFleet(service, tenant)))),
    };
  } finally {
    await browser.close();
    await service.stop();
  }
}

async function startFleet({ baseUrl }: ServiceProcess, tenant: { tenantId: string; credential: string }) {
  return registerFleet([{ baseUrl, ...tenant }], { keys: await generateKeys(), devices: 20 });
}

/** A cold load of the overview over the slow network. */
async function measureLoad({ context, address }: ConsoleBench): Promise<Figures> {
  const { page, devtools, slowDown } = await openSlowPage(context);
  let scriptBytes = 0;
  const sizes: Promise<void>[] = [];
  let isFirstLoad = true;
  page.on('response', (response) => {
    if (!isFirstLoad || !/\.js$/.test(new URL(response.url()).pathname)) return;
    sizes.push(
      response.body().then((body) => {
        scriptBytes += gzipSync(body, { level: 9 }).byteLength;
      }),
    );
  });
  await slowDown({ network: true });
  // Signing in has opened the console once.
  await devtools.send('Network.clearBrowserCache');
  const usableMs = await loadUntilUsable(page, `${address}/`);
  isFirstLoad = false;
  await Promise.all(sizes);
  await page.close();
  return { scriptKiB: scriptBytes / 1024, usableMs };
}

const ROUTES = [
  { link: 'Incidents', heading: 'Incidents' },
  { link: 'Devices', heading: 'Devices' },
  { link: 'Webhooks', heading: 'Webhooks' },
  { link: 'Keys', heading: 'Keys' },
  { link: 'Overview', heading: 'Overview' },
] as const;

/** From page to page by the navigation, each for the first time. */
async function measureRouteChanges({ context, address }: ConsoleBench): Promise<Figures> {
  const { page, slowDown } = await openSlowPage(context);
  await slowDown({ network: true });
  await loadUntilUsable(page, `${address}/`);
  await page.waitForLoadState('networkidle');
  const times: number[] = [];
  for (const route of ROUTES) times.push(await timeRouteChange(page, route));
  await page.close();
  return { routeChangeMs: Math.max(...times) };
}

/** Loads the whole feed into the list, and scrolls through it. */
async function measureScroll(bench: ConsoleBench, events: number): Promise<Figures> {
  const { page, slowDown } = await openEvents(bench);
  await loadRows(page, events);
  await slowDown();
  await watchFrames(page);
  await page.mouse.move(800, 600);
  for (let step = 0; step < 120; step += 1) await page.mouse.wheel(0, step % 40 === 39 ? -40_000 : 1_200);
  const { longestFrameMs } = await readFrames(page);
  await page.close();
  return { scrollFrameMs: longestFrameMs };
}

/** Types into the filter above the long list. */
async function measureTyping(bench: ConsoleBench): Promise<Figures> {
  const { page, slowDown } = await openEvents(bench);
  await loadRows(page, 10_000);
  await slowDown();
  await page.keyboard.press('/');
  await watchFrames(page);
  await page.keyboard.type('device dev_bench-17', { delay: 60 });
  const { longestTaskMs } = await readFrames(page);
  await page.close();
  return { typingTaskMs: longestTaskMs };
}

async function openEvents({ context, address }: ConsoleBench) {
  const slow = await openSlowPage(context);
  await slow.page.goto(`${address}/events`);
  await slow.page.locator('[role=row] [role=gridcell]').first().waitFor();
  return slow;
}

const LOADED_ROWS = "Number(document.querySelector('[role=grid]').getAttribute('aria-rowcount')) - 1";

/** Scrolls to the end of the list until it has this many rows. */
async function loadRows(page: Page, count: number): Promise<void> {
  for (let rows = 0; rows < count; ) {
    await page.evaluate(`{
      const scroller = document.querySelector('[role=grid]').parentElement;
      scroller.scrollTop = scroller.scrollHeight;
    }`);
    await page.waitForFunction(`${LOADED_ROWS} > ${rows}`);
    rows = await page.evaluate<number>(LOADED_ROWS);
  }
}
