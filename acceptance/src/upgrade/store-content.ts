import type { CreatedToken, Event } from '@tps/contract';
import { type AgentlessDevice, createEvent, registerDevice, toDeviceClient } from '@tps/simulator';
import { waitUntil } from '@tps/testing/time';
import { readList } from '../service/read-api.ts';

/** Lists that both versions have. */
const LISTS = [
  'events',
  'alerts',
  'threats',
  'incidents',
  'devices',
  'policies',
  'tokens',
  'webhooks',
  'jobs',
];
/** What reading the lists changes by itself. */
const CHANGED_BY_READING = new Set(['last_used_at']);

type Item = Record<string, unknown>;
type Address = { readonly baseUrl: string };

/** What a tenant keeps in the store: each list of the API. */
export type StoreContent = Readonly<Record<string, readonly Item[]>>;

export async function readContent({ baseUrl }: Address, credential: string): Promise<StoreContent> {
  const lists = await Promise.all(
    LISTS.map(async (list) => {
      const { items } = await readList<Item>(baseUrl, `/${list}`, { credential, limit: 100 });
      return [list, items.map(withoutTraces)] as const;
    }),
  );
  return Object.fromEntries(lists);
}

function withoutTraces(item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([member]) => !CHANGED_BY_READING.has(member)));
}

/** Calls the API with a JSON body. @throws Error for an error response */
export async function change<Body>(
  { baseUrl }: Address,
  credential: string,
  [method, path, body]: readonly [method: string, path: string, body?: object],
): Promise<Body> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${credential}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Body;
}

/** Reports whether a credential is accepted. */
export async function isAccepted({ baseUrl }: Address, credential: string): Promise<boolean> {
  const response = await fetch(`${baseUrl}/status`, { headers: { authorization: `Bearer ${credential}` } });
  await response.text();
  return response.status === 200;
}

/** Sends events that alert, one after the other, and returns their ids. */
export async function sendEvents(
  address: Address,
  device: AgentlessDevice,
  count: number,
): Promise<string[]> {
  const events = Array.from({ length: count }, () => newAlert(device));
  for (const event of events) await toDeviceClient(device, address).submitEvent(event);
  return events.map(({ event_id }) => event_id);
}

function newAlert(device: AgentlessDevice): Event {
  return createEvent(device, {
    action_taken: 'block',
    severity: 'high',
    description: 'SMS from +49 151 23456789',
    indicators: ['https://parcel.example/pay'],
  });
}

/** Fills a store with one of each kind, and returns what the tests continue with. */
export async function fillStore(
  address: Address,
  { tenantId, admin, receiver }: { tenantId: string; admin: string; receiver: string },
): Promise<{ device: AgentlessDevice; token: CreatedToken }> {
  const devices = await Promise.all(
    ['android', 'linux'].map((platform) =>
      registerDevice({ ...address, tenantId, credential: admin }, { platform: platform as 'android' }),
    ),
  );
  const [device] = devices;
  if (device === undefined) throw new Error('no device was registered');
  const secret = 'a-secret-that-is-long-enough-for-a-webhook';
  const create = <Body>(path: string, body: object) => change<Body>(address, admin, ['POST', path, body]);
  await create('/webhooks', { url: receiver, secret });
  const policy = { name: 'Block phishing links', threat_categories: ['phishing'] };
  await create('/policies', { ...policy, action: 'block', confidence_threshold: 0.8 });
  const token = await create<CreatedToken>('/tokens', { name: 'reader', scopes: ['status:read'] });
  for (const one of devices) await sendEvents(address, one, 3);
  const [incident] = (await readContent(address, admin)).incidents ?? [];
  const inputs = [String(incident?.id)];
  await create('/jobs', { workflow_id: 'incident_triage_v1', input_refs: inputs });
  await waitUntil(async () => (await readContent(address, admin)).jobs?.[0]?.status === 'waiting_review');
  return { device, token };
}
