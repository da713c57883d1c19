import { randomBytes } from 'node:crypto';
import { type Event, SCOPES, type Webhook } from '@tps/contract';
import { type Database, openDatabase, systemClock, TenantService, TokenService } from '@tps/server/store';
import { type AgentlessDevice, createEvent, registerDevice, toDeviceClient } from '@tps/simulator';
import { type SpawnedService, spawnService } from '@tps/testing/process';
import {
  type ReceivedRequest,
  type ReceiverOptions,
  startReceiver,
  type WebhookReceiver,
} from '@tps/testing/receiver';
import { WEBHOOK_ENV } from '@tps/testing/service';
import { createTestStore, type TestStore } from '@tps/testing/store';
import { onTestFinished } from 'vitest';

/** A spawned service that may send webhooks to this machine, with a device of its tenant. */
export interface PushService {
  readonly store: TestStore;
  /** Settings for another process on the same store. */
  readonly env: Record<string, string>;
  readonly service: SpawnedService;
  readonly device: AgentlessDevice;
}

export interface RegisteredWebhook {
  readonly webhookId: string;
  readonly secret: string;
}

/** @param toUrl returns the URL by which the service reaches the store, if not directly */
export async function startPushService(
  env: Record<string, string> = {},
  toUrl: (storeUrl: string) => string | Promise<string> = (storeUrl) => storeUrl,
): Promise<PushService> {
  const store = await createTestStore('empty');
  onTestFinished(store.drop);
  const all = { SERVICE_DATABASE_URL: await toUrl(store.url), ...WEBHOOK_ENV, ...env };
  const service = await spawnService({ env: all });
  const { tenantId, admin: credential } = service.credentials();
  const device = await registerDevice({ baseUrl: service.baseUrl, tenantId, credential });
  return { store, env: all, service, device };
}

/** Adds a tenant with a device, as the command line does. Starting the program for each would take seconds. */
export async function addTenant({ store, service }: PushService): Promise<AgentlessDevice> {
  const database = await openDatabase(store.url, { poolSize: 1, exclusive: false });
  const parts = { database, clock: systemClock };
  const { tenantId, minted } = await database.transaction(async (tx) => {
    const tenant = await new TenantService(parts).create(tx, { name: 'another', environment: 'live' });
    const { tenantId } = tenant;
    const wanted = {
      tenantId,
      environment: 'live',
      name: 'test',
      scopes: SCOPES,
      expiresAtMs: null,
    } as const;
    return { tenantId, minted: await new TokenService(parts).createFromCommandLine(tx, wanted) };
  });
  await database.close();
  return registerDevice({ baseUrl: service.baseUrl, tenantId, credential: minted.credential.reveal() });
}

/** Starts a receiver that ends with the test. */
export async function receive(options: ReceiverOptions = {}): Promise<WebhookReceiver> {
  const receiver = await startReceiver(options);
  onTestFinished(() => receiver.close());
  return receiver;
}

export async function registerWebhook(
  { baseUrl }: Pick<SpawnedService, 'baseUrl'>,
  { credential }: Pick<AgentlessDevice, 'credential'>,
  { url, secret = randomBytes(24).toString('base64url') }: { url: string; secret?: string },
): Promise<RegisteredWebhook> {
  const response = await fetch(`${baseUrl}/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, secret }),
  });
  if (response.status !== 201) throw new Error(`no webhook: ${await response.text()}`);
  const { webhook_id: webhookId } = (await response.json()) as Webhook;
  return { webhookId, secret };
}

/** Returns a gate. A receiver can wait for it until the test opens it. */
export function newGate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Creates events that all webhooks of the tenant receive. */
export function newPushedEvents(device: AgentlessDevice, count: number): Event[] {
  return Array.from({ length: count }, () => createEvent(device, { action_taken: 'block', severity: 'low' }));
}

/** Sends a batch. @throws Error unless each of its events was accepted */
export async function submitAll(
  { baseUrl }: Pick<SpawnedService, 'baseUrl'>,
  device: AgentlessDevice,
  events: readonly Event[],
): Promise<void> {
  const { body } = await toDeviceClient(device, { baseUrl }).submitEvents([...events]);
  const refused = body.results.filter(({ status }) => status > 201);
  if (refused.length > 0) throw new Error(`refused: ${JSON.stringify(refused[0])}`);
}

export function keyOf({ headers }: ReceivedRequest): string {
  return headers['x-service-idempotency-key'] ?? '';
}

export function eventIdOf({ body }: ReceivedRequest): string {
  return (JSON.parse(body) as Event).event_id;
}

export function deliveryIdOf(request: ReceivedRequest): string {
  return keyOf(request).split('.')[0] ?? '';
}

/** Returns the ids of events that have not arrived. */
export function findMissing(events: readonly Event[], receiver: WebhookReceiver): string[] {
  const arrived = new Set(receiver.requests.map(eventIdOf));
  return events.map(({ event_id }) => event_id).filter((id) => !arrived.has(id));
}

/** Groups the requests of events that arrived more than once. */
export function findRepeated(requests: readonly ReceivedRequest[]): ReceivedRequest[][] {
  const groups = new Map<string, ReceivedRequest[]>();
  for (const request of requests) {
    const id = deliveryIdOf(request);
    const group = groups.get(id);
    if (group) group.push(request);
    else groups.set(id, [request]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

/** The process that may attempt a delivery, and until when. */
export interface Lease {
  readonly nodeId: string;
  readonly endsAtMs: number;
}

/** Reads the leases by delivery directly from the store. */
export async function readLeases(url: string): Promise<Map<string, Lease>> {
  return onStore(url, async (db) => {
    const rows = await db
      .selectFrom('deliveries')
      .select(['delivery_id', 'leased_by', 'due_at'])
      .where('leased_by', 'is not', null)
      .execute();
    return new Map(
      rows.map((row) => [row.delivery_id, { nodeId: row.leased_by ?? '', endsAtMs: row.due_at ?? 0 }]),
    );
  });
}

/** Counts the open deliveries directly in the store. */
export async function countUnsettled(url: string): Promise<number> {
  return onStore(url, async (db) => {
    const rows = await db
      .selectFrom('deliveries')
      .select('delivery_id')
      .where('status', '=', 'pending')
      .execute();
    return rows.length;
  });
}

/** Lets the time pass after which a process that no longer reports counts as gone. */
export async function endHolds(url: string): Promise<void> {
  const database = await openDatabase(url, { poolSize: 1, exclusive: false });
  await database.transaction((tx) => tx.db.updateTable('secret_key_holders').set({ held_at: 0 }).execute());
  await database.close();
}

/** Reads from the API with the credential of the device. */
export async function readApi<Body>(
  { baseUrl }: Pick<SpawnedService, 'baseUrl'>,
  { credential }: Pick<AgentlessDevice, 'credential'>,
  path: string,
): Promise<Body> {
  const response = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${credential}` } });
  if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
  return (await response.json()) as Body;
}

async function onStore<Result>(
  url: string,
  read: (db: Database['read']['db']) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(url, { poolSize: 1, exclusive: false });
  try {
    return await read(database.read.db);
  } finally {
    await database.close();
  }
}
