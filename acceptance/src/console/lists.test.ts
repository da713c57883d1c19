import { buffer } from 'node:stream/consumers';
import type { Incident } from '@tps/contract';
import { useChromium } from '@tps/testing/browser';
import { type OpenedConsole, openConsole, rowIdsOf } from '@tps/testing/console';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';

const service = useTestService({ env: { SERVICE_RATE_LIMIT_PER_MINUTE: '10000' } });
const chromium = useChromium();

const CATEGORIES = ['phishing', 'deepfake', 'remote_control', 'malicious_app'] as const;

let device: TestDevice;

beforeEach(async () => {
  device = await registerTestDevice(service, { tenant: await service.createTenant() });
});

/** Opens the incidents of a tenant that has one per category, newest first. */
async function openIncidents(path = '/incidents'): Promise<OpenedConsole> {
  for (const category of CATEGORIES) await device.post(device.event({ threat_category: category }));
  const opened = await openConsole(service, chromium, {
    tenantId: device.tenant.tenantId,
    role: 'analyst',
    path,
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  await rows(opened.page).first().waitFor();
  return opened;
}

const rows = (page: Page) => page.locator('[role=row][data-id]');
const selected = (page: Page) => page.locator('[role=row][aria-selected=true]').count();
const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const focusedRow = async (page: Page) =>
  (
    await page
      .locator('[role=row][data-id]:focus-within')
      .evaluateAll((all) => all.map((row) => row.getAttribute('data-id')))
  )[0];

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

async function statusOf(id: string): Promise<Pick<Incident, 'status' | 'assignee'>> {
  const { credential } = device.tenant;
  return (await service.client.send('GET', `/incidents/${id}`, { credential })).body as Incident;
}

/** No frame is drawn between the two keys. */
const PRESS_J_AND_ENTER = `(async () => {
  const pressKey = (key) =>
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  pressKey('j');
  await Promise.resolve();
  pressKey('Enter');
})()`;

/** Each shortcut that `?` prints over a list, and a test that presses it. */
const PRESSES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'J Next incident': async (page) => {
    await press(page, 'j', 'j');
    await expect.poll(() => focusedRow(page)).toBe((await rowIdsOf(page))[1]);
  },
  'K Previous incident': async (page) => {
    await press(page, 'j', 'j', 'k');
    await expect.poll(() => focusedRow(page)).toBe((await rowIdsOf(page))[0]);
  },
  'Enter Open the incident': async (page) => {
    await press(page, 'j', 'Enter');
    await expect.poll(() => query(page).open).toBe((await rowIdsOf(page))[0]);
    await page.locator('aside:focus').waitFor();
    await press(page, 'j');
    await expect.poll(() => query(page).open).toBe((await rowIdsOf(page))[1]);
  },
  'X Select': async (page) => {
    await press(page, 'j', 'x');
    await expect.poll(() => selected(page)).toBe(1);
  },
  'Shift X Select the rows since the last selected one': async (page) => {
    await press(page, 'j', 'x', 'j', 'j', 'Shift+x');
    await expect.poll(() => selected(page)).toBe(3);
  },
  'Esc Close, or clear the selection': async (page) => {
    await press(page, 'j', 'x', 'Enter');
    await page.locator('aside').waitFor();
    await press(page, 'Escape');
    await expect.poll(() => focusedRow(page)).toBe((await rowIdsOf(page))[0]);
    expect(query(page).open).toBeUndefined();
    await press(page, 'Escape');
    await expect.poll(() => selected(page)).toBe(0);
  },
  'F Show only this value': async (page) => {
    await press(page, 'j', 'f');
    await expect.poll(() => query(page).severity).toBe('high');
  },
  'Shift F Leave out this value': async (page) => {
    await press(page, 'j', 'Shift+f');
    await page.getByText('No incidents match these filters.').waitFor();
    expect(query(page).severity).toBe('!high');
  },
  'C Copy this value': async (page) => {
    await press(page, 'j', 'c');
    await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toBe('high');
  },
  '/ Filter': async (page) => {
    await press(page, '/');
    await page.keyboard.type('critical');
    await page.getByRole('option', { name: 'Severity is Critical' }).waitFor();
    await press(page, 'Enter');
    await expect.poll(() => query(page).severity).toBe('critical');
  },
  'E Resolve': async (page) => {
    await press(page, 'j', 'e');
    await page.getByRole('dialog').getByRole('radio', { name: 'True positive' }).waitFor();
  },
  'A Assign to me': async (page) => {
    await press(page, 'j', 'j', 'a');
    const [, id = ''] = await rowIdsOf(page);
    await expect.poll(() => statusOf(id ?? '')).toMatchObject({ status: 'in_progress' });
  },
  'Z Undo the last change': async (page) => {
    await press(page, 'j', 'a');
    const [id = ''] = await rowIdsOf(page);
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await press(page, 'z');
    await expect.poll(() => statusOf(id ?? '')).toMatchObject({ status: 'open', assignee: null });
  },
  '? Show the shortcuts': async (page) => {
    await press(page, '?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  },
};

async function printedShortcuts(page: Page): Promise<readonly string[]> {
  await press(page, '?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.getByText('Everywhere').waitFor();
  return dialog.locator('dl > div').evaluateAll((all) =>
    all.map((row) => {
      const keys = [...row.querySelectorAll('kbd')].map((key) => key.textContent);
      return `${keys.join(' ')} ${row.querySelector('dt')?.textContent}`;
    }),
  );
}

describe('the shortcuts of a list', () => {
  test('each of them acts', async () => {
    const { page, goto } = await openIncidents();
    for (const [name, pressed] of Object.entries(PRESSES)) {
      await page.evaluate(() => localStorage.clear());
      await goto('/incidents');
      await rows(page)
        .nth(CATEGORIES.length - 1)
        .waitFor();
      await pressed(page).catch((cause: unknown) => {
        throw new Error(`The shortcut "${name}" failed`, { cause });
      });
    }
  });

  test('Enter opens the row to which a key has moved, however soon it is pressed', async () => {
    const { page } = await openIncidents();
    await page.getByRole('link', { name: 'Incidents', exact: true }).focus();
    await page.evaluate(PRESS_J_AND_ENTER);
    await expect.poll(() => query(page).open).toBe((await rowIdsOf(page))[0]);
  });

  test('? prints those that act, and each has a test here', async () => {
    const { page } = await openIncidents();
    const printed = await printedShortcuts(page);
    const undone = 'Z Undo the last change';
    expect([...printed].sort()).toEqual(
      Object.keys(PRESSES)
        .filter((name) => name !== undone)
        .sort(),
    );
  });

  test('? prints the way to undo while there is something to undo', async () => {
    const { page } = await openIncidents();
    await press(page, 'j', 'a');
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    expect(await printedShortcuts(page)).toContain('Z Undo the last change');
  });

  test('none acts while the reader types, and single keys can be switched off', async () => {
    const { page } = await openIncidents();
    await press(page, 'j', '/');
    await page.keyboard.type('xjx');
    expect(await selected(page)).toBe(0);
    await press(page, 'Escape', '?');
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).uncheck();
    await press(page, 'Escape', 'j', 'x');
    expect(await selected(page)).toBe(0);
    await page.reload();
    await rows(page).first().waitFor();
    await press(page, '?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  });
});

describe('the state of a list', () => {
  test('filters are in the address, can be edited and removed, and survive leaving the page', async () => {
    const { page, goto } = await openIncidents('/incidents?category=phishing,deepfake');
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.getByText('Phishing or Deepfake').click();
    await page.getByRole('checkbox', { name: 'Deepfake', exact: true }).click();
    await expect.poll(() => query(page).category).toBe('phishing');
    await press(page, 'Escape');
    await goto('/incidents');
    await expect.poll(() => query(page).category).toBe('phishing');
    await page.getByRole('button', { name: 'Remove the filter Status' }).click();
    await expect.poll(() => query(page).status).toBe('*');
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(() => rows(page).count()).toBe(CATEGORIES.length);
    expect(query(page)).toEqual({});
  });

  test('the way back from an object finds the rows that were on the screen', async () => {
    const { tenantId, credential } = device.tenant;
    for (let index = 0; index < 60; index += 1) {
      const body = { name: `Rule ${index}`, threat_categories: ['phishing'], action: 'warn' };
      await service.client.send('POST', '/policies', { credential, body });
    }
    const { page } = await openConsole(service, chromium, { tenantId, path: '/audit' });
    await rows(page).first().waitFor();
    const scroller = page.locator('[data-list-scroller]');
    await scroller.evaluate((node) => node.scrollTo(0, 900));
    const old = rows(page).and(page.locator('[data-index="32"]'));
    // The menu of the cell lies over its end.
    await old.locator('a[href*="/policies/"]').click({ position: { x: 20, y: 8 } });
    await page.waitForURL('**/policies/*');
    await page.goBack();
    await rows(page).first().waitFor();
    await expect.poll(() => scroller.evaluate((node) => node.scrollTop)).toBe(900);
  });

  test('the chosen columns are in the address', async () => {
    const { page } = await openIncidents();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Category' }).click();
    await page.getByRole('columnheader', { name: 'Category' }).waitFor();
    expect(query(page).columns).toMatch(/,category$/);
  });

  test('the strip narrows the list by keyboard', async () => {
    const { page } = await openIncidents('/incidents?since=-1h');
    await page.getByRole('slider', { name: 'incidents over time' }).focus();
    await press(page, 'End', 'Shift+ArrowLeft', 'Enter');
    await expect.poll(() => query(page).until).toMatch(/Z$/);
  });
});

describe('new items', () => {
  test('wait until the reader asks for them, and the focus stays', async () => {
    const { page } = await openIncidents();
    await page.clock.install();
    await page.reload();
    await rows(page).first().waitFor();
    await press(page, 'j', 'j');
    await expect.poll(() => focusedRow(page)).toBeDefined();
    const before = await rowIdsOf(page);
    await device.post(device.event({ threat_category: 'phone_scam' }));
    await page.clock.fastForward(20_000);
    await page.getByRole('button', { name: '1 new' }).waitFor();
    expect(await rowIdsOf(page)).toEqual(before);
    expect(await focusedRow(page)).toBe(before[1]);
    await page.getByRole('button', { name: '1 new' }).click();
    await expect.poll(() => rows(page).count()).toBe(before.length + 1);
  });
});

test('a list that opens reads its first page once', async () => {
  await device.post(device.event());
  const { page, context, goto } = await openConsole(service, chromium, { tenantId: device.tenant.tenantId });
  const read: string[] = [];
  context.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/incidents') read.push(search);
  });
  await goto('/incidents');
  await rows(page).first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(read).toHaveLength(1);
});

test('a page works while its messages and the menu of its views cannot be loaded', async () => {
  const { page, context, goto } = await openConsole(service, chromium, {
    tenantId: device.tenant.tenantId,
    allowMessages: [/ERR_FAILED/],
  });
  const cut = new Set<string>();
  await context.route(/\/(views-menu|overlays)-[^/]+\.js$/, (route) => {
    cut.add(new URL(route.request().url()).pathname);
    return route.abort('failed');
  });
  await device.post(device.event());
  await goto('/incidents');
  await expect.poll(() => cut.size).toBe(2);
  await rows(page).first().waitFor();
  await press(page, 'j', 'Enter');
  await page.getByRole('article').waitFor();
});

test('a tenant without incidents says what opens one, and then shows and counts it', async () => {
  const { page, goto } = await openConsole(service, chromium, {
    tenantId: device.tenant.tenantId,
    role: 'analyst',
  });
  await page.clock.install();
  await goto('/incidents');
  await page.getByText('No incidents yet').waitFor();
  await page.getByText('0 incidents').waitFor();
  await device.post(device.event({ threat_category: 'phone_scam' }));
  await page.clock.fastForward(20_000);
  await rows(page).first().waitFor();
  await page.getByText('1 incident', { exact: true }).waitFor();
});

describe('a bulk change', () => {
  test('says what another person has changed before it could be undone', async () => {
    const { page } = await openIncidents();
    await page.getByRole('checkbox', { name: 'Select all that are loaded' }).check();
    await page.getByRole('button', { name: 'Assign to me' }).click();
    await page.getByText('4 incidents assigned to you').waitFor();
    const [id] = await rowIdsOf(page);
    const { credential } = device.tenant;
    await service.client.send('PATCH', `/incidents/${id}`, { credential, body: { tags: ['vip'] } });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 of 4 not undone').waitFor();
    expect(await statusOf(id ?? '')).toMatchObject({ status: 'in_progress' });
  });

  test('names each item that it could not change, and why', async () => {
    const { page } = await openIncidents();
    await page.getByRole('checkbox', { name: 'Select all that are loaded' }).check();
    const [id = ''] = await rowIdsOf(page);
    const { credential } = device.tenant;
    for (const body of [{ status: 'resolved', resolution: 'test' }, { status: 'closed' }])
      await service.client.send('PATCH', `/incidents/${id}`, { credential, body });
    await page.getByRole('button', { name: 'Put on hold' }).click();
    const report = page.getByRole('dialog', { name: '1 incident not changed' });
    await report.getByText('3 incidents put on hold').waitFor();
    const refused = await report.getByRole('listitem').allTextContents();
    expect(refused).toEqual([expect.stringMatching(new RegExp(`^${id} .*closed`))]);
    expect(await statusOf(id ?? '')).toMatchObject({ status: 'closed' });
  });

  test('of all that match changes each of them, and is undone', async () => {
    const { page } = await openIncidents();
    await page.getByRole('checkbox', { name: 'Select all that are loaded' }).check();
    await page.getByRole('toolbar', { name: 'Selection' }).getByText('4 incidents selected').waitFor();
    await page.getByRole('button', { name: 'Assign to me' }).click();
    await page.getByText('4 incidents assigned to you').waitFor();
    const all = await rowIdsOf(page);
    expect(await Promise.all(all.map((id) => statusOf(id ?? '')))).toMatchObject(
      all.map(() => ({ status: 'in_progress' })),
    );
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await Promise.all(all.map((id) => statusOf(id ?? '')))).toMatchObject(
      all.map(() => ({ status: 'open' })),
    );
  });
});

test('an export has the shown columns of all that match', async () => {
  const { page } = await openIncidents();
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /CSV/ }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^incidents-.*\.csv$/);
  const file = await buffer(await download.createReadStream());
  expect(file.subarray(0, 4).toString()).toBe('\ufeff"');
  const lines = file.toString().trim().split('\r\n');
  expect(lines[0]).toContain('"Severity","What happened","Status"');
  expect(lines).toHaveLength(1 + CATEGORIES.length);
});
