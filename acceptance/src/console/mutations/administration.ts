import {
  acts,
  type ConsoleMutation,
  confirm,
  dialogOf,
  type MutationSetting,
  orGone,
  press,
  reload,
  type,
} from './mutation.ts';

async function newWebhook({ client, receiverUrl }: MutationSetting, query: string): Promise<string> {
  const url = `${receiverUrl}?${query}`;
  return (await client.webhooks.create({ url, secret: crypto.randomUUID() })).webhook_id;
}

/** A change of a new webhook. */
function ofWebhook(
  call: string,
  parts: Pick<ConsoleMutation, 'fill' | 'send' | 'states' | 'shown'> & {
    readonly query: string;
    readonly read: (setting: MutationSetting, id: string) => Promise<unknown>;
  },
): ConsoleMutation {
  const { query, read, ...rest } = parts;
  return {
    call: `webhooks.${call}`,
    start: async (setting) => {
      const id = await newWebhook(setting, query);
      return { path: `/webhooks/${id}`, state: () => read(setting, id) };
    },
    ...rest,
  };
}

const WEBHOOKS: readonly ConsoleMutation[] = [
  {
    call: 'webhooks.create',
    start: async ({ client, receiverUrl }) => {
      const state = async () => {
        const { data } = await client.webhooks.list({ limit: 100 }).page();
        return data.filter(({ url }) => url === `${receiverUrl}?cut`).length;
      };
      return { path: '/webhooks?dialog=new', state };
    },
    fill: (page, { receiverUrl }) => type(page, 'URL', `${receiverUrl}?cut`),
    send: press('Create webhook'),
    states: [0, 1],
    shown: /^whsec_/,
  },
  ofWebhook('update (settings)', {
    query: 'edit',
    fill: async (page) => {
      await press('Edit')(page);
      await dialogOf(page).getByRole('checkbox', { name: 'Low' }).uncheck();
    },
    send: press('Save'),
    read: async ({ client }, id) => (await client.webhooks.get(id)).severity_filter,
    states: [null, ['medium', 'high', 'critical']],
    shown: 'Webhook changed',
  }),
  ofWebhook('update (pause)', {
    query: 'pause',
    send: press('Pause'),
    read: async ({ client }, id) => (await client.webhooks.get(id)).status,
    states: ['active', 'disabled'],
    shown: 'Webhook paused',
  }),
  ofWebhook('rotateSecret', {
    query: 'rotate',
    fill: async (page) => {
      await press('Rotate secret')(page);
      await dialogOf(page).getByRole('button', { name: 'Create the new secret' }).waitFor();
    },
    send: press('Create the new secret'),
    read: (setting, id) => acts(setting, id, 'webhook.rotate_secret'),
    states: [0, 1],
    shown: /^whsec_/,
  }),
  ofWebhook('recover', {
    query: 'recover',
    send: press('Deliver missed events'),
    read: async ({ client }, id) => (await client.webhooks.get(id)).status,
    states: ['active', 'active'],
    shown: /checked\. The service is now delivering/,
  }),
  ofWebhook('remove', {
    query: 'remove',
    fill: async (page) => {
      await press('Delete')(page);
      const name = await dialogOf(page).locator('strong').last().textContent();
      await dialogOf(page)
        .getByRole('textbox')
        .fill(name ?? '');
    },
    send: press('Delete webhook'),
    read: ({ client }, id) => orGone(client.webhooks.get(id).then(() => 'there')),
    states: ['there', 'gone'],
    shown: 'Webhook deleted',
  }),
];

function ofDeadLetter(call: string, parts: Pick<ConsoleMutation, 'send'>): ConsoleMutation {
  return {
    call: `webhooks.deadLetters.${call}`,
    start: async ({ client, newDeadLetter }) => {
      const { entryId: id, webhookId: webhook_id } = await newDeadLetter();
      const state = async () => {
        const { data } = await client.webhooks.deadLetters.list({ webhook_id, limit: 100 }).page();
        return data.filter((letter) => letter.entry_id === id).length;
      };
      return { path: `/webhooks/dead-letters?open=${id}`, state };
    },
    again: reload,
    states: [1, 0],
    shown: 'This dead letter no longer exists',
    ...parts,
  };
}

const PEOPLE: readonly ConsoleMutation[] = [
  {
    call: 'invitations.create',
    start: async ({ client }) => {
      const state = async () => {
        const { data } = await client.invitations.list({ limit: 100 }).page();
        return data.filter(({ email }) => email === 'cut@example.com').length;
      };
      return { path: '/members?dialog=invite', state };
    },
    fill: (page) => type(page, 'E-mail address', 'cut@example.com'),
    send: press('Create invitation'),
    states: [0, 1],
    shown: /the response was lost/,
  },
  {
    call: 'invitations.revoke',
    start: async ({ client }) => {
      const { invitation_id: id } = await client.invitations.create({
        email: 'old@example.com',
        role: 'viewer',
      });
      const state = async () => (await client.invitations.get(id)).status;
      return { path: '/members', state };
    },
    send: press('Revoke the invitation of old@example.com'),
    again: reload,
    states: ['pending', 'revoked'],
    shown: (page) => page.getByRole('button', { name: 'Invite', exact: true }),
  },
  {
    call: 'members.update',
    start: async ({ client, newMember }) => {
      const { accountId } = await newMember();
      return {
        path: `/members/${accountId}?dialog=role`,
        state: async () => (await client.members.get(accountId)).role,
      };
    },
    fill: (page) => dialogOf(page).getByRole('radio', { name: 'Analyst' }).check(),
    send: press('Change role'),
    states: ['viewer', 'analyst'],
    shown: 'Role changed',
  },
  {
    call: 'members.remove',
    start: async ({ client, newMember }) => {
      const { accountId } = await newMember();
      return {
        path: `/members/${accountId}`,
        state: () => orGone(client.members.get(accountId).then(() => 'there')),
      };
    },
    fill: async (page) => {
      await press('Remove member')(page);
      const name = await dialogOf(page).locator('strong').last().textContent();
      await dialogOf(page)
        .getByRole('textbox')
        .fill(name ?? '');
    },
    send: press('Remove member'),
    states: ['there', 'gone'],
    shown: 'Member removed',
  },
];

const hasSignOn = async ({ client }: MutationSetting) =>
  orGone(client.signOn.get().then(({ client_id }) => client_id));
const requested = async ({ client }: MutationSetting) => (await client.settings.get()).deletion !== null;

const TENANT: readonly ConsoleMutation[] = [
  {
    call: 'signOn.replace',
    start: async (setting) => ({ path: '/sign-on?dialog=edit', state: () => hasSignOn(setting) }),
    fill: async (page, { issuer }) => {
      await page.getByLabel('Issuer').fill(issuer);
      await page.getByLabel('Client ID').fill('tps');
      await page.getByLabel('Client secret').fill('secret-of-the-provider');
      await page.getByLabel('Mail domains').fill('example.com');
    },
    send: press('Set up single sign-on'),
    again: reload,
    states: ['gone', 'tps'],
    shown: (page) => page.getByRole('button', { name: 'Save', exact: true }),
  },
  {
    call: 'signOn.remove',
    start: async (setting) => {
      const { client, issuer } = setting;
      await client.signOn.replace({
        issuer,
        client_id: 'tps',
        client_secret: 'of-the-provider',
        allowed_domains: ['example.com'],
      });
      return { path: '/sign-on', state: () => hasSignOn(setting) };
    },
    fill: async (page, { issuer }) => confirm('Remove', issuer)(page),
    send: press('Remove single sign-on'),
    states: ['tps', 'gone'],
    shown: 'Single sign-on removed',
  },
  {
    call: 'settings.requestDeletion',
    start: async (setting) => ({ path: '/settings', state: () => requested(setting) }),
    fill: async (page, { tenantName }) => confirm('Request deletion…', tenantName)(page),
    send: press('Request deletion'),
    states: [false, true],
    shown: 'This tenant will be deleted on',
  },
  {
    call: 'settings.cancelDeletion',
    start: async (setting) => {
      const { client, tenantName } = setting;
      await client.settings.cancelDeletion().catch(() => undefined);
      await client.settings.requestDeletion({ name: tenantName, after_days: 30 });
      return { path: '/settings', state: () => requested(setting) };
    },
    send: press('Cancel the deletion'),
    again: reload,
    states: [true, false],
    shown: (page) => page.getByRole('button', { name: 'Request deletion…' }),
  },
];

/** Webhooks, people and the tenant itself. */
export const ADMINISTRATION: readonly ConsoleMutation[] = [
  ...WEBHOOKS,
  ofDeadLetter('replay', { send: press('Replay') }),
  ofDeadLetter('remove', { send: press('Delete') }),
  ...PEOPLE,
  ...TENANT,
];
