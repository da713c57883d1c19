import type { Client } from '@tps/client';
import type { Locator, Page } from 'playwright-core';

/** What the mutations of a tenant act on. */
export interface MutationSetting {
  readonly client: Client;
  /** The name of the tenant. */
  readonly tenantName: string;
  /** Receives webhooks. */
  readonly receiverUrl: string;
  /** An OpenID provider. */
  readonly issuer: string;
  /** Adds a member, a viewer. */
  readonly newMember: () => Promise<{ accountId: string; email: string }>;
  readonly newDevice: () => Promise<string>;
  /** Lets a new device report something, and returns the incident that it opened. */
  readonly newIncident: () => Promise<string>;
  readonly newDeadLetter: () => Promise<{ entryId: string; webhookId: string }>;
}

/** Where a person makes a change, and how the API shows whether it was made. */
interface Start {
  readonly path: string;
  readonly state: () => Promise<unknown>;
}

/** One change that the console makes. */
export interface ConsoleMutation {
  /** The call of the client, and which of several forms. */
  readonly call: string;
  readonly start: (setting: MutationSetting) => Promise<Start>;
  /** Opens the form and fills it in. */
  readonly fill?: (page: Page, setting: MutationSetting) => Promise<unknown>;
  readonly send: (page: Page) => Promise<unknown>;
  /** The try after the answer was lost (default: `send`). Some pages read again what they show, so that there is nothing to send. */
  readonly again?: (page: Page) => Promise<unknown>;
  /** What `state` returns before the change, and after it. */
  readonly states: readonly [before: unknown, after: unknown];
  /** What the page shows when it is done. */
  readonly shown: string | RegExp | ((page: Page) => Locator);
}

export const press = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .last()
    .click();
export const choose = (name: string | RegExp) => (page: Page) => page.getByRole('menuitem', { name }).click();
export const dialogOf = (page: Page) => page.getByRole('dialog');
export const type = (page: Page, label: string, text: string) => dialogOf(page).getByLabel(label).fill(text);
/** Fills in the name by which a person confirms that something is destroyed. */
export const confirm = (button: string, name: string) => async (page: Page) => {
  await press(button)(page);
  await dialogOf(page).getByRole('textbox').fill(name);
};

export const reload = (page: Page) => page.reload();

/** Counts what a list has under a name. */
export async function named(
  list: AsyncIterable<{ readonly name?: string | null }>,
  name: string,
): Promise<number> {
  let count = 0;
  for await (const one of list) if (one.name === name) count += 1;
  return count;
}

/** Reads an object, or returns `gone`. */
export const orGone = <Value>(read: Promise<Value>) => read.catch(() => 'gone' as const);

/** What people did with an object, as often as they did it. */
export async function acts({ client }: MutationSetting, id: string, action: string): Promise<number> {
  const { data } = await client.audit.list({ resource_id: id, action, limit: 100 }).page();
  return data.length;
}
