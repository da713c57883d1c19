import {
  acts,
  type ConsoleMutation,
  confirm,
  type MutationSetting,
  named,
  orGone,
  press,
  type,
} from './mutation.ts';

async function newKey({ client }: MutationSetting, name: string): Promise<string> {
  return (await client.tokens.create({ name, scopes: ['status:read'] })).token_id;
}

async function newOAuthClient({ client }: MutationSetting, name: string): Promise<string> {
  const made = await client.oauthClients.create({
    name,
    grant_types: ['client_credentials'],
    scopes: ['status:read'],
  });
  return made.client_id;
}

/** Keys and OAuth clients. */
export const CREDENTIALS: readonly ConsoleMutation[] = [
  {
    call: 'tokens.create',
    start: async ({ client }) => ({
      path: '/keys?dialog=new',
      state: () => named(client.tokens.list(), 'Cut key'),
    }),
    fill: (page) => type(page, 'Name', 'Cut key'),
    send: press('Create key'),
    states: [0, 1],
    shown: /the response was lost/,
  },
  {
    call: 'tokens.roll',
    start: async (setting) => ({
      path: `/keys/${await newKey(setting, 'To roll')}?dialog=roll`,
      state: () => named(setting.client.tokens.list(), 'To roll'),
    }),
    send: press('Create the new key'),
    states: [1, 2],
    shown: /the response was lost/,
  },
  {
    call: 'tokens.revoke',
    start: async (setting) => {
      const id = await newKey(setting, 'To revoke');
      return { path: `/keys/${id}`, state: async () => (await setting.client.tokens.get(id)).status };
    },
    fill: confirm('Revoke key', 'To revoke'),
    send: press('Revoke key'),
    states: ['active', 'revoked'],
    shown: 'Key revoked',
  },
  {
    call: 'oauthClients.create',
    start: async ({ client }) => ({
      path: '/oauth-clients?dialog=new',
      state: () => named(client.oauthClients.list(), 'Cut client'),
    }),
    fill: (page) => type(page, 'Name', 'Cut client'),
    send: press('Create client'),
    states: [0, 1],
    shown: /the response was lost/,
  },
  {
    call: 'oauthClients.update',
    start: async (setting) => {
      const id = await newOAuthClient(setting, 'To rename');
      return {
        path: `/oauth-clients/${id}?dialog=edit`,
        state: async () => (await setting.client.oauthClients.get(id)).name,
      };
    },
    fill: (page) => type(page, 'Name', 'Renamed client'),
    send: press('Save'),
    states: ['To rename', 'Renamed client'],
    shown: 'OAuth client changed',
  },
  {
    call: 'oauthClients.rotateSecret',
    start: async (setting) => {
      const id = await newOAuthClient(setting, 'To rotate');
      return {
        path: `/oauth-clients/${id}?dialog=rotate`,
        state: () => acts(setting, id, 'oauth_client.rotate_secret'),
      };
    },
    send: press('Create the new secret'),
    states: [0, 1],
    shown: /the response was lost/,
  },
  {
    call: 'oauthClients.remove',
    start: async (setting) => {
      const id = await newOAuthClient(setting, 'To delete');
      return {
        path: `/oauth-clients/${id}`,
        state: () => orGone(setting.client.oauthClients.get(id).then(() => 'there')),
      };
    },
    fill: confirm('Delete client', 'To delete'),
    send: press('Delete client'),
    states: ['there', 'gone'],
    shown: 'OAuth client deleted',
  },
];
