import {
  type ConsoleMutation,
  confirm,
  dialogOf,
  type MutationSetting,
  named,
  press,
  reload,
  type,
} from './mutation.ts';

async function newPolicy({ client }: MutationSetting, name: string): Promise<string> {
  const policy = await client.policies.create({ name, threat_categories: ['deepfake'], action: 'warn' });
  return policy.policy_id;
}

async function newSource({ client }: MutationSetting, source: string): Promise<void> {
  const one = {
    type: 'domain',
    category: 'phishing',
    threat_type: 'phishing_link',
    confidence: 0.9,
  } as const;
  await client.indicators.import({ source, indicators: [{ ...one, value: `${source}.example` }] });
}

/** Policies, indicators, scans and devices. */
export const PROTECTION: readonly ConsoleMutation[] = [
  {
    call: 'policies.create',
    start: async ({ client }) => ({
      path: '/policies?dialog=new',
      state: () => named(client.policies.list(), 'Cut policy'),
    }),
    fill: async (page) => {
      await type(page, 'Name', 'Cut policy');
      await dialogOf(page).getByRole('checkbox', { name: 'Phishing' }).check();
    },
    send: press('Create policy'),
    states: [0, 1],
    shown: 'Policy created',
  },
  {
    call: 'policies.update',
    start: async (setting) => {
      const id = await newPolicy(setting, 'To change');
      return { path: `/policies/${id}`, state: async () => (await setting.client.policies.get(id)).name };
    },
    fill: (page) => page.getByLabel('Name').fill('Changed'),
    send: press('Save policy'),
    states: ['To change', 'Changed'],
    shown: 'Policy saved',
  },
  {
    call: 'policies.archive',
    start: async (setting) => {
      const id = await newPolicy(setting, 'To archive');
      const state = async () => (await setting.client.policies.get(id)).archived_at !== null;
      return { path: `/policies/${id}`, state };
    },
    fill: confirm('Archive policy', 'To archive'),
    send: press('Archive policy'),
    states: [false, true],
    shown: 'Policy archived',
  },
  {
    call: 'indicators.import',
    start: async ({ client }) => ({
      path: '/indicators?dialog=import',
      state: async () => (await client.indicators.list({ source: 'cut' }).page()).data.length,
    }),
    fill: async (page) => {
      await type(page, 'Values', 'cut-one.example\ncut-two.example');
      await dialogOf(page).getByRole('textbox', { name: 'Source' }).fill('cut');
      await press('Check 2 lines')(page);
      await dialogOf(page).getByText('2 new').waitFor();
    },
    send: press('Import 2 indicators'),
    states: [0, 2],
    shown: '0 added, 0 updated, 2 unchanged',
  },
  {
    call: 'indicators.remove',
    start: async (setting) => {
      await newSource(setting, 'gone');
      const state = async () => (await setting.client.indicators.list({ source: 'gone' }).page()).data.length;
      return { path: '/indicators?dialog=sources', state };
    },
    fill: confirm('Remove gone', 'gone'),
    send: press('Remove source'),
    states: [1, 0],
    shown: 'Source removed',
  },
  {
    call: 'scan.content',
    start: async ({ client }) => {
      const state = async () => (await client.statistics.get({ measures: 'scans' })).series[0]?.total;
      return { path: '/scan', state };
    },
    fill: (page) => page.getByLabel('Message or transcript').fill('Your parcel waits: pay at parcel.example'),
    send: press('Scan'),
    states: [0, 1],
    shown: 'Your parcel waits',
  },
  {
    call: 'devices.update (name)',
    start: async ({ client, newDevice }) => {
      const id = await newDevice();
      return { path: `/devices/${id}`, state: async () => (await client.devices.get(id)).name ?? null };
    },
    fill: async (page) => {
      await press('Rename device')(page);
      await type(page, 'Name', 'Reception');
    },
    send: press('Rename'),
    states: [null, 'Reception'],
    shown: 'Device renamed',
  },
  {
    call: 'devices.update (revoke)',
    start: async ({ client, newDevice }) => {
      const id = await newDevice();
      await client.devices.update(id, { name: 'Lost' });
      return { path: `/devices/${id}`, state: async () => (await client.devices.get(id)).status };
    },
    fill: confirm('Revoke device', 'Lost'),
    send: press('Revoke device'),
    states: ['active', 'revoked'],
    shown: 'Device revoked',
  },
  {
    call: 'enrolments.create',
    start: async ({ client }) => ({
      path: '/devices?dialog=enrol',
      state: () => named(client.enrolments.list(), 'Cut secret'),
    }),
    fill: (page) => type(page, 'Name of the secret', 'Cut secret'),
    send: press('Create secret'),
    states: [0, 1],
    shown: /the response was lost/,
  },
  {
    call: 'enrolments.revoke',
    start: async ({ client }) => {
      const { enrolment_id: id } = await client.enrolments.create({ name: 'Old secret' });
      const state = async () => (await client.enrolments.get(id)).revoked_at !== null;
      return { path: '/devices?dialog=enrol', state };
    },
    send: press('Revoke Old secret'),
    again: reload,
    states: [false, true],
    shown: (page) => page.getByRole('button', { name: 'Create secret' }),
  },
];
