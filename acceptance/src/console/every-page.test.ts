import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROLE_SCOPES, ROLES } from '@tps/contract';
import { useChromium } from '@tps/testing/browser';
import { type OpenedConsole, openConsole } from '@tps/testing/console';
import { useFixture } from '@tps/testing/fixture';
import { startPopulatedService } from '@tps/testing/population';
import { PASSWORD_COST } from '@tps/testing/service';
import { IS_SOAK } from '@tps/testing/soak';
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type ConsolePage, isListed, readConsolePages } from './console-pages.ts';

const chromium = useChromium();
const populated = useFixture(
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'tps-console-'));
    const service = await startPopulatedService({ directory, days: 3, passwordCost: PASSWORD_COST });
    return { ...service, directory, tenant: { tenantId: service.tenantId, credential: service.credential } };
  },
  {
    close: async ({ stop, directory }) => {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  },
);

const pages = readConsolePages();
const listed = pages.filter(isListed);
const objects = pages.filter((page) => !isListed(page));

/** The colours of a page differ, and nothing else: all other rules are checked in the first theme only. */
const ALL_THEMES = [
  { name: 'light', media: { colorScheme: 'light', contrast: 'no-preference' } },
  { name: 'dark', media: { colorScheme: 'dark', contrast: 'no-preference' } },
  { name: 'light with high contrast', media: { colorScheme: 'light', contrast: 'more' } },
  { name: 'dark with high contrast', media: { colorScheme: 'dark', contrast: 'more' } },
] as const;
const THEMES = IS_SOAK ? ALL_THEMES : ALL_THEMES.slice(0, 2);
/** In pixels. The last one is that of the next page. */
const WIDTHS = IS_SOAK ? [360, 390, 768, 1280] : [360, 1280];
/** Runs in the page: names what makes it scroll sideways, controls beyond its edges, and buttons whose text is cut off. */
const FIND_OVERFLOWS = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const name = (node) => node.tagName + ' ' + (node.getAttribute('aria-label') ?? node.textContent).trim().slice(0, 40);
  const scrolls = (node) => node !== null && (/auto|scroll/.test(getComputedStyle(node).overflowX) || scrolls(node.parentElement));
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth) {
    const widest = [...document.querySelectorAll('main *')].filter((node) => node.getBoundingClientRect().right > innerWidth + 1);
    found.push('the page scrolls sideways: ' + widest.filter((node) => !scrolls(node)).slice(0, 3).map(name).join(', '));
  }
  for (const node of document.querySelectorAll('button, a, input, textarea, [role=button]')) {
    const { left, right, width, height } = node.getBoundingClientRect();
    // A link that leads past the navigation is outside of the page until it has the focus.
    if (right <= 0 || width < 2 || height < 2 || !node.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if ((left < -1 || right > innerWidth + 1) && !scrolls(node.parentElement)) found.push('beyond the edge: ' + name(node));
    const isCut = node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).textOverflow !== 'ellipsis';
    if (node.tagName === 'BUTTON' && isCut) found.push('cut off: ' + name(node));
  }
  resolve(found);
})))`;
/** Runs in the page: colours that fade into the next theme would be measured on their way. */
const TRANSITIONS_END = `Promise.allSettled(
  document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished))`;
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

test('the list of pages was read', () => {
  expect(listed.length).toBeGreaterThan(15);
  expect(objects.length).toBeGreaterThan(5);
});

test('every page meets WCAG 2.2 AA in each theme, and fits on each screen', {
  timeout: 600_000,
}, async () => {
  const opened = await openConsole(populated, chromium, { context: { reducedMotion: 'reduce' } });
  const found: Record<string, unknown> = {};
  const check = async (path: string) => {
    const here = [...(await violationsOn(opened.page)), ...(await overflowsOn(opened.page))];
    if (here.length > 0) found[path] = here;
  };
  for (const { path } of listed) {
    await opened.goto(path);
    await isShown(opened.page);
    await check(path);
  }
  for (const page of objects) if (await openFirst(opened, page)) await check(page.path);
  expect(found).toEqual({});
});

describe.each(ROLES)('as %s', (role) => {
  test('the navigation has exactly the pages that the role opens', async () => {
    const { page } = await openConsole(populated, chromium, { role });
    const scopes: readonly string[] = ROLE_SCOPES[role];
    await isShown(page);
    const links = await page.locator('nav[aria-label=Pages] a').allTextContents();
    const expected = listed.filter(({ scope }) => scopes.includes(scope)).map(({ title }) => title);
    expect(links.map((text) => text.trim()).toSorted()).toEqual(expected.toSorted());
  });

  // The first role opens the fewest pages.
  test.runIf(IS_SOAK || role === ROLES[0])('a page that the role does not open names the scope', async () => {
    const scopes: readonly string[] = ROLE_SCOPES[role];
    const closed = pages.filter(({ scope }) => !scopes.includes(scope));
    const opened = await openConsole(populated, chromium, { role });
    for (const { path, scope } of closed) {
      await opened.goto(path.replace('$id', 'x_1'));
      await expect.poll(() => opened.page.locator('main').textContent()).toContain(scope);
    }
  });
});

/** Opens the page of the first object of a list. Returns false if the list is empty. */
async function openFirst({ page, goto }: OpenedConsole, { path }: ConsolePage): Promise<boolean> {
  const list = path.slice(0, path.indexOf('/$'));
  await goto(list);
  await isShown(page);
  const row = page.locator('[role=row][data-id]').first();
  if ((await row.count()) === 0) return false;
  await goto(`${list}/${await row.getAttribute('data-id')}`);
  await isShown(page);
  return true;
}

async function isShown(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
}

/** Looks for what does not fit, on phones, tablets and large screens. */
async function overflowsOn(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const overflows = await page.evaluate<string[]>(FIND_OVERFLOWS);
    found.push(...overflows.map((text) => `${width} px: ${text}`));
  }
  return found;
}

async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found: string[] = [];
  for (const { name, media } of THEMES) {
    await page.emulateMedia(media);
    await page.locator(`html[data-mantine-color-scheme=${media.colorScheme}]`).waitFor();
    await page.evaluate(TRANSITIONS_END);
    const runOnly = name === ALL_THEMES[0].name ? WCAG : ['color-contrast'];
    const options = { runOnly, resultTypes: ['violations'], preload: false };
    const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
    found.push(
      ...violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html }) => `${name}: ${id}: ${html.slice(0, 160)}`),
      ),
    );
  }
  return found;
}
