import { createClient } from '@tps/client';
import { useChromium } from '@tps/testing/browser';
import { openConsole } from '@tps/testing/console';
import { registerTestDevice } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { startDiscoveryStandIn } from '@tps/testing/network';
import { useReceivers } from '@tps/testing/receiver';
import { createPerson, registerTestWebhook, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { IS_SOAK } from '@tps/testing/soak';
import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { ADMINISTRATION } from './mutations/administration.ts';
import { CREDENTIALS } from './mutations/credentials.ts';
import type { MutationSetting } from './mutations/mutation.ts';
import { NOTICES } from './mutations/notices.ts';
import { PROTECTION } from './mutations/protection.ts';
import { readConsoleChanges } from './mutations/read-changes.ts';
import { WORK } from './mutations/work.ts';

const service = useTestService({ env: WEBHOOK_ENV });
const chromium = useChromium();
const newReceiver = useReceivers();
const setting = useFixture(createSetting);
const MUTATIONS = [...WORK, ...CREDENTIALS, ...PROTECTION, ...ADMINISTRATION, ...NOTICES];
/** Each case takes 2 s, and all send through the same code, `kit/acts`. The long variant tries them all. */
const TRIED = MUTATIONS.filter((_, index) => IS_SOAK || index % 4 === 0);

test.each(TRIED)(
  'a cut connection loses nothing of $call, and a second try makes it once',
  async (mutation) => {
    const { path, state } = await mutation.start(setting);
    const [before, after] = mutation.states;
    const { page } = await openConsole(service, chromium, { path, allowMessages: [/ERR_|Failed to load/] });
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
    const connection = await cuttable(page);
    await mutation.fill?.(page, setting);
    const typed = mutation.fill && (await typedOn(page));

    await connection.cut('before', () => mutation.send(page));
    expect(await state()).toEqual(before);
    expect(mutation.fill && (await typedOn(page))).toEqual(typed);

    await connection.cut('after', () => mutation.send(page));
    await expect.poll(state).toEqual(after);

    const { again = mutation.send, shown } = mutation;
    await again(page);
    await (typeof shown === 'function' ? shown(page) : page.getByText(shown)).first().waitFor();
    expect(await state()).toEqual(after);
  },
);

test('the table has every change that the console makes', () => {
  const calls = MUTATIONS.map(({ call }) => call.split(' ')[0]);
  expect([...new Set(calls)].sort()).toEqual(readConsoleChanges());
});

/** Cuts the requests that change something. The client repeats some after a random pause, which is short here. */
async function cuttable(page: Page) {
  await page.evaluate(() => {
    const { random } = Math;
    Math.random = () => random() / 100;
  });
  let cut: 'before' | 'after' | undefined;
  await page.route(isChange, async (route: Route) => {
    if (cut === undefined || route.request().method() === 'GET') return route.fallback();
    if (cut === 'after') await route.fetch();
    return route.abort('connectionreset');
  });
  return {
    /** Sends while the connection is cut, and waits until the page says so in plain words. */
    async cut(where: 'before' | 'after', send: () => Promise<unknown>): Promise<void> {
      // An error of the try before may still be there for a moment.
      await page.getByRole('alert').evaluateAll((alerts) => {
        for (const alert of alerts) alert.setAttribute('data-old', '');
      });
      cut = where;
      await send();
      await page
        .locator('[role=alert]:not([data-old])')
        .filter({ hasText: 'The service does not respond' })
        .waitFor();
      cut = undefined;
      await dismissMessages(page);
    },
  };
}

/** Closes the messages, so that the next one is a new one. */
async function dismissMessages(page: Page): Promise<void> {
  const close = page.locator('.mantine-Notification-closeButton');
  await close.evaluateAll((buttons) => {
    for (const button of buttons) (button as unknown as { click(): void }).click();
  });
  await expect.poll(() => close.count()).toBe(0);
}

/** The exchange of the session is not a change, and neither is what a policy would have done. */
function isChange({ pathname }: URL): boolean {
  return !/^\/(console\/session|policies\/simulate)$/.test(pathname);
}

/** Returns what the fields of the page contain. */
function typedOn(page: Page): Promise<unknown> {
  return page
    .locator('main, [role=dialog]')
    .locator('input, textarea')
    .evaluateAll((fields) =>
      fields.map((field) => {
        const { type, value, checked } = field as unknown as {
          type: string;
          value: string;
          checked: boolean;
        };
        return type === 'checkbox' || type === 'radio' ? checked : value;
      }),
    );
}

async function createSetting(): Promise<MutationSetting> {
  const { baseUrl, tenant } = service;
  const client = createClient({ baseUrl, credential: tenant.credential });
  const receiver = await newReceiver();
  const { issuer } = await startDiscoveryStandIn();
  return {
    client,
    tenantName: (await client.settings.get()).name,
    receiverUrl: receiver.url,
    issuer,
    newMember: () => createPerson(service, { role: 'viewer' }),
    newDevice: async () => (await registerTestDevice(service)).deviceId,
    newIncident: async () => {
      const device = await registerTestDevice(service);
      await device.post(device.event());
      const { data } = await client.incidents.list({ limit: 1 }).page();
      return data[0]?.id ?? '';
    },
    newDeadLetter: async () => {
      const failing = await newReceiver({ respond: 400 });
      const webhook = await registerTestWebhook(service, { url: failing.url, auto_replay: false });
      const device = await registerTestDevice(service);
      await device.post(device.event());
      await expect.poll(async () => (await webhook.deadLetters()).length).toBe(1);
      failing.respondWith(200);
      const [letter] = await webhook.deadLetters();
      return { entryId: letter?.entry_id ?? '', webhookId: webhook.webhookId };
    },
  };
}
