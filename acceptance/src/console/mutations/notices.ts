import {
  type ConsoleMutation,
  dialogOf,
  type MutationSetting,
  named,
  orGone,
  press,
  type,
} from './mutation.ts';

/** A change of a new notice channel. */
function ofChannel(
  call: string,
  parts: Pick<ConsoleMutation, 'fill' | 'send' | 'states' | 'shown'> & {
    readonly name: string;
    readonly read: (setting: MutationSetting, id: string) => Promise<unknown>;
  },
): ConsoleMutation {
  const { name, read, ...rest } = parts;
  return {
    call: `noticeChannels.${call}`,
    start: async (setting) => {
      const { client, receiverUrl: url } = setting;
      const { channel_id: id } = await client.noticeChannels.create({ kind: 'slack', name, url });
      return { path: `/notice-channels/${id}`, state: () => read(setting, id) };
    },
    ...rest,
  };
}

export const NOTICES: readonly ConsoleMutation[] = [
  {
    call: 'noticeChannels.create',
    start: async ({ client }) => ({
      path: '/notice-channels?dialog=new',
      state: () => named(client.noticeChannels.list(), 'Cut'),
    }),
    fill: async (page, { receiverUrl }) => {
      await type(page, 'Name', 'Cut');
      await dialogOf(page).getByText('Webhook', { exact: true }).click();
      await type(page, 'URL', receiverUrl);
    },
    send: press('Create channel'),
    states: [0, 1],
    shown: /^whsec_/,
  },
  ofChannel('update (settings)', {
    name: 'Edited',
    fill: async (page) => {
      await press('Edit')(page);
      await type(page, 'Messages in any hour', '3');
    },
    send: press('Save'),
    read: async ({ client }, id) => (await client.noticeChannels.get(id)).max_per_hour,
    states: [10, 3],
    shown: 'Notice channel changed',
  }),
  ofChannel('update (pause)', {
    name: 'Paused',
    send: press('Pause'),
    read: async ({ client }, id) => (await client.noticeChannels.get(id)).status,
    states: ['active', 'paused'],
    shown: 'Notice channel paused',
  }),
  ofChannel('remove', {
    name: 'Removed',
    fill: async (page) => {
      await press('Delete')(page);
      await dialogOf(page).getByRole('textbox').fill('Removed');
    },
    send: press('Delete channel'),
    read: ({ client }, id) => orGone(client.noticeChannels.get(id).then(() => 'there')),
    states: ['there', 'gone'],
    shown: 'Notice channel deleted',
  }),
  {
    call: 'dataRequests.create',
    start: async ({ client }) => {
      const state = async () => {
        const { data } = await client.dataRequests.list({ limit: 100 }).page();
        return data.filter(({ subject }) => subject === 'pkg:org.example.cut').length;
      };
      return { path: '/data-requests?dialog=new', state };
    },
    fill: async (page) => {
      await dialogOf(page).getByText('An indicator', { exact: true }).click();
      await dialogOf(page).getByPlaceholder('url:sha256:…').fill('pkg:org.example.cut');
    },
    send: press('Request the export'),
    states: [0, 1],
    shown: (page) => page.getByRole('heading', { level: 1, name: 'Export: pkg:org.example.cut' }),
  },
];
