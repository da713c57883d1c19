import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { generateKeys, registerFleet } from '../load/signed-fleet.ts';
import { type ServiceProcess, startService } from '../servers/service-process.ts';
import type { BenchStores } from '../stores/bench-store.ts';
import { fillFeed } from '../stores/fill-feed.ts';
import type { Figures } from './budgets.ts';
import { measureTail } from './live-tail.ts';
import { acceptAdminLink } from './sign-in.ts';
import { type SlowBrowser, type SlowPage, startSlowBrowser } from './slow-browser.ts';
import { loadUntilUsable, readFrames, timeRouteChange, watchFrames } from './watch-page.ts';

export const CONSOLE_GROUPS = ['load', 'pages', 'scroll', 'typing', 'tail'] as const;
export type ConsoleGroup = (typeof CONSOLE_GROUPS)[number];

interface ConsoleBench {
  readonly slow: SlowBrowser;
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
  const slow = await startSlowBrowser();
  try {
    const context = await slow.browser.newContext();
    // The link names the address of the first start, which had another port.
    const { pathname, search } = new URL(tenant.adminLink);
    const address = await acceptAdminLink(context, `${service.baseUrl}${pathname}${search}`);
    await slow.signIn(await context.cookies());
    await context.close();
    const bench = { slow, address, service };
    return {
      ...(groups.includes('load') && (await measureLoad(bench))),
      ...(groups.includes('pages') && (await measureRouteChanges(bench))),
      ...(groups.includes('scroll') && (await measureScroll(bench, events))),
      ...(groups.includes('typing') && (await measureTyping(bench))),
      ...(groups.includes('tail') && (await measureTail(bench, await startFleet(service, tenant)))),
    };
  } finally {
    await slow.close();
    await service.stop();
  }
}

async function startFleet({ baseUrl }: ServiceProcess, tenant: { tenantId: string; credential: string }) {
  return registerFleet([{ baseUrl, ...tenant }], { keys: await generateKeys(), devices: 20 });
}

/** A cold load of the overview over the slow network. */
async function measureLoad({ slow, address, service }: ConsoleBench): Promise<Figures> {
  const page = await slow.openPage();
  await page.slowDown({ network: true });
  const usableMs = await loadUntilUsable(page, `${address}/`);
  const scripts = await page.evaluate<string[]>(
    "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'))",
  );
  await page.close();
  let scriptBytes = 0;
  for (const script of scripts.filter((one) => one.startsWith(service.baseUrl))) {
    const response = await fetch(script);
    if (!response.ok) throw new Error(`${script} responded with ${response.status}`);
    scriptBytes += gzipSync(new Uint8Array(await response.arrayBuffer()), { level: 9 }).byteLength;
  }
  return { scriptKiB: scriptBytes / 1024, usableMs };
}

const ROUTES = [
  { link: 'Incidents', heading: 'Incidents' },
  { link: 'Devices', heading: 'Devices' },
  { link: 'Webhooks', heading: 'Webhooks' },
  { link: 'Keys', heading: 'Keys' },
  { link: 'Overview', heading: 'Overview' },
] as const;

/** Nothing has arrived for a second: the code of the other pages is there. */
const IS_SETTLED = `performance.now()
  - Math.max(...performance.getEntriesByType('resource').map(({ responseEnd }) => responseEnd)) > 1000`;

/** From page to page by the navigation, each for the first time. */
async function measureRouteChanges({ slow, address }: ConsoleBench): Promise<Figures> {
  const page = await slow.openPage();
  await page.slowDown({ network: true });
  await loadUntilUsable(page, `${address}/`);
  await page.waitFor(IS_SETTLED);
  const times: number[] = [];
  for (const route of ROUTES) times.push(await timeRouteChange(page, route));
  console.log(
    `change of the page, ms: ${times.map((time, index) => `${ROUTES[index]?.link} ${time.toFixed(0)}`).join(', ')}`,
  );
  await page.close();
  return { routeChangeMs: Math.max(...times) };
}

/** Loads the whole feed into the list, and scrolls through it. */
async function measureScroll(bench: ConsoleBench, events: number): Promise<Figures> {
  const page = await openEvents(bench);
  await loadRows(page, events);
  await page.slowDown();
  await watchFrames(page);
  const above = { x: 800, y: 600 };
  for (let step = 0; step < 120; step += 1) await page.wheel(above, step % 40 === 39 ? -40_000 : 1_200);
  const { longestFrameMs } = await readFrames(page);
  await page.close();
  return { scrollFrameMs: longestFrameMs };
}

const TYPED = 'device dev_bench-17';
const KEY_EVERY_MS = 60;

/** Opens the filter above the long list, and types into it. */
async function measureTyping(bench: ConsoleBench): Promise<Figures> {
  const page = await openEvents(bench);
  await loadRows(page, 10_000);
  await page.slowDown();
  await watchFrames(page);
  await page.press('/');
  await page.waitFor("document.activeElement?.tagName === 'INPUT'");
  for (const character of TYPED) {
    await page.press(character);
    await wait(KEY_EVERY_MS);
  }
  const { longestTaskMs } = await readFrames(page);
  await page.close();
  return { typingTaskMs: longestTaskMs };
}

async function openEvents({ slow, address }: ConsoleBench): Promise<SlowPage> {
  const page = await slow.openPage();
  await page.open(`${address}/events`);
  await page.waitFor("document.querySelector('[role=row] [role=gridcell]') !== null");
  return page;
}

const LOADED_ROWS = "Number(document.querySelector('[role=grid]').getAttribute('aria-rowcount')) - 1";

/** Scrolls to the end of the list until it has this many rows. */
async function loadRows(page: SlowPage, count: number): Promise<void> {
  for (let rows = 0; rows < count; ) {
    await page.evaluate(`{
      const scroller = document.querySelector('[role=grid]').parentElement;
      scroller.scrollTop = scroller.scrollHeight;
    }`);
    rows = await page.waitFor<number>(`${LOADED_ROWS} > ${rows} && ${LOADED_ROWS}`);
  }
}
