import type { Incident, SimilarIncident } from '@tps/contract';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { type TestTenant, useTestService } from '@tps/testing/service';
import { beforeEach, expect, test } from 'vitest';

let tenant: TestTenant;

const service = useTestService();

beforeEach(async () => {
  tenant = await service.createTenant();
});

const newDevice = () => registerTestDevice(service, { tenant });

async function read<Item>(path: string): Promise<Item[]> {
  const answer = await service.client.send('GET', path, { credential: tenant.credential });
  return (answer.body as { data: Item[] }).data;
}

/** Sends an event that opens an incident, and returns its id. */
async function open(device: TestDevice, members: Parameters<TestDevice['event']>[0] = {}): Promise<string> {
  const known = new Set((await read<Incident>('/incidents')).map(({ id }) => id));
  await device.post(device.event(members));
  const id = (await read<Incident>('/incidents')).find((incident) => !known.has(incident.id))?.id;
  if (id === undefined) throw new Error('the event opened no incident');
  return id;
}

const similarTo = async (id: string) =>
  (await read<SimilarIncident>(`/incidents/${id}/similar`)).map((incident) => [incident.id, incident.shared]);

test('incidents that share an indicator or the device are similar, the newest first', async () => {
  const [device, other, stranger] = [await newDevice(), await newDevice(), await newDevice()];
  const first = await open(device, { indicators: ['sig:1'] });
  const elsewhere = await open(other, { indicators: ['sig:1', 'sig:2'] });
  await open(stranger, { indicators: ['sig:3'] });
  const again = await open(device, { threat_category: 'deepfake', indicators: ['sig:4'] });
  expect(await similarTo(first)).toEqual([
    [again, ['subject']],
    [elsewhere, ['indicator']],
  ]);
  expect(await similarTo(elsewhere)).toEqual([[first, ['indicator']]]);
});

test('incidents of another tenant are not similar', async () => {
  const first = await open(await newDevice(), { indicators: ['sig:1'] });
  const own = tenant;
  tenant = await service.createTenant();
  await open(await newDevice(), { indicators: ['sig:1'] });
  tenant = own;
  expect(await similarTo(first)).toEqual([]);
});

test('a campaign is similar to the incidents that it is about', async () => {
  const devices = [await newDevice(), await newDevice(), await newDevice()];
  for (const device of devices) await device.post(device.event({ indicators: ['sig:1'] }));
  const incidents = await read<Incident>('/incidents');
  const campaign = incidents.find(({ category }) => category === 'campaign');
  if (!campaign) throw new Error('no campaign was detected');
  const others = incidents.filter(({ id }) => id !== campaign.id).map(({ id }) => [id, ['indicator']]);
  expect(await similarTo(campaign.id)).toEqual(others);
  const [, ...rest] = others;
  expect(await similarTo(String(others[0]?.[0]))).toEqual(
    [[campaign.id, ['indicator']], ...rest].sort().reverse(),
  );
});
