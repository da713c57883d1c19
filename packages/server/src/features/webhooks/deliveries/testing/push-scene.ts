import { randomBytes } from 'node:crypto';
import { generateDeviceKey } from '@tps/agent';
import type { Event, NewWebhook } from '@tps/contract';
import { signedSend, type TestDevice, testEvent } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { type ReceiverReply, type Respond, startReceiver, type WebhookReceiver } from '@tps/testing/receiver';
import {
  createContractClient,
  registerTestWebhook,
  startTestService,
  type TestAnswer,
  type TestService,
  type TestTenant,
  type TestWebhook,
  WEBHOOK_ENV,
} from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { vi } from 'vitest';
import type { ReadQueries } from '../../../../database/index.ts';

/** The service checks every 500 ms of real time what is due by its clock. */
export const SOON = { timeout: 60_000, interval: 15 };

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** A service with a manual clock, with receivers and with tenants that send events to it. */
export interface PushScene {
  readonly service: TestService;
  readonly clock: ManualClock;
  /** The store as the running service has it open. */
  database(): ReadQueries;
  /** Starts a receiver that is closed with the scene, so that pending retries still find it. */
  receive(respond?: Respond | ReceiverReply): Promise<WebhookReceiver>;
  /** Creates a separate tenant with a device. */
  createSender(): Promise<Sender>;
  /** Stops the service, lets time pass, and starts it again on the same store. Create senders before that. */
  restart(options?: { awayMs?: number }): Promise<void>;
  stop(): Promise<void>;
}

/** Optional members of a webhook. */
type WebhookMembers = Partial<Pick<NewWebhook, 'severity_filter' | 'auto_replay'>>;

/** A tenant with a device. Each of its calls takes a millisecond, so that they have an order. */
export interface Sender {
  readonly tenant: TestTenant;
  /** Sends an event (default: a phishing block of severity high) and returns it as sent. */
  send(members?: Partial<Event>): Promise<Event>;
  /** Sends this many events in one batch and returns their ids in the order of the feed. */
  sendMany(count: number, members?: Partial<Event>): Promise<string[]>;
  /** Calls the API with every scope. */
  call(method: string, path: string, body?: object): Promise<TestAnswer>;
  register(url: string, members?: WebhookMembers): Promise<TestWebhook>;
}

async function startPushScene(env: Record<string, string>): Promise<PushScene> {
  const clock = new ManualClock(Date.now());
  const started = await startTestService({ env, clock });
  const receivers: WebhookReceiver[] = [];
  let running = started.service;
  let client = started.client;
  const service: TestService = {
    ...started,
    get client() {
      return client;
    },
    get baseUrl() {
      return running.baseUrl;
    },
  };
  return {
    service,
    clock,
    database: () => running.database.read,
    async receive(respond) {
      const receiver = await startReceiver(respond === undefined ? {} : { respond });
      receivers.push(receiver);
      return receiver;
    },
    createSender: () => createSender(service, clock),
    async restart({ awayMs = 0 } = {}) {
      await running.stop();
      clock.advance(awayMs);
      running = await started.startNode();
      client = createContractClient(running.baseUrl);
    },
    async stop() {
      await running.stop();
      await started.stop();
      for (const receiver of receivers) await receiver.close();
    },
  };
}

/** Runs a scene for the tests of a file. */
export function usePushScene(env: () => Record<string, string> = () => WEBHOOK_ENV): PushScene {
  return useFixture(() => startPushScene(env()), { close: (scene) => scene.stop() });
}

async function createSender(service: TestService, clock: ManualClock): Promise<Sender> {
  const tenant = await service.createTenant();
  const device = {
    deviceId: `dev_${randomBytes(6).toString('hex')}`,
    key: await generateDeviceKey('ed25519'),
    tenant,
  };
  const post = async (body: object, path: string, tag: 'tps-event' | 'tps-register' = 'tps-event') => {
    clock.advance(1);
    const signer = { created: Math.floor(clock.now() / 1000), tag };
    const answer = await signedSend(service, device, body, { path, signer });
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.text}`);
    return answer;
  };
  const { publicKeyB64 } = device.key;
  await post(
    {
      tenant_id: tenant.tenantId,
      device_id: device.deviceId,
      platform: 'android',
      public_key_b64: publicKeyB64,
    },
    '/devices',
    'tps-register',
  );
  const newEvent = (members: Partial<Event>) =>
    eventOf(device, { timestamp: new Date(clock.now()).toISOString(), ...members });
  return {
    tenant,
    async send(members = {}) {
      const event = newEvent(members);
      await post(event, '/events');
      return event;
    },
    async sendMany(count, members = {}) {
      const events = Array.from({ length: count }, () => newEvent(members));
      await post({ events }, '/events/batch');
      return events.map((event) => event.event_id);
    },
    call(method, path, body) {
      clock.advance(1);
      return service.client.send(method, path, { credential: tenant.credential, ...(body ? { body } : {}) });
    },
    async register(url, members = {}) {
      clock.advance(1);
      const webhook = await registerTestWebhook(service, { url, tenant, ...members });
      const send: TestWebhook['send'] = (...request) => {
        clock.advance(1);
        return webhook.send(...request);
      };
      return { ...webhook, send };
    },
  };
}

function eventOf(
  { deviceId, tenant }: Pick<TestDevice, 'deviceId' | 'tenant'>,
  members: Partial<Event>,
): Event {
  return testEvent({ tenant_id: tenant.tenantId, device_id: deviceId, ...members });
}

/** Waits until a webhook has this many dead letters, and returns them. */
export function waitForDeadLetters(webhook: TestWebhook, count = 1) {
  return vi.waitFor(async () => {
    const entries = await webhook.deadLetters();
    if (entries.length !== count) throw new Error(`there are ${entries.length} dead letters, not ${count}`);
    return entries;
  }, SOON);
}

/** Waits until all deliveries of a webhook are over, and returns them, newest first. */
export function waitForDeliveries(webhook: TestWebhook, count = 1) {
  return vi.waitFor(async () => {
    const deliveries = await webhook.deliveries();
    const isOver = deliveries.every(({ status }) => status !== 'pending');
    if (deliveries.length !== count || !isOver) throw new Error(`not yet: ${JSON.stringify(deliveries)}`);
    return deliveries;
  }, SOON);
}

/** Lets the pauses between the attempts of a receiver's only delivery pass, until this many requests have arrived. */
export async function passRetries(
  { clock }: PushScene,
  receiver: WebhookReceiver,
  until: number,
): Promise<void> {
  while (receiver.requests.length < until) {
    const { length } = receiver.requests;
    await vi.waitFor(() => {
      // The pause begins when the attempt is over, which the test cannot see: time advances until the next one
      // arrives.
      clock.advance(200);
      if (receiver.requests.length === length) throw new Error('no further attempt was made');
    }, SOON);
  }
}

/** Lets time pass in steps of half a second until a check succeeds. */
export async function passTime({ clock }: PushScene, check: () => Promise<void> | void): Promise<void> {
  await vi.waitFor(async () => {
    clock.advance(500);
    await check();
  }, SOON);
}

/** Lists the audit entries of a resource, oldest first. */
export async function readAudit({ database }: PushScene, resourceId: string) {
  const rows = await database()
    .db.selectFrom('audit_entries')
    .selectAll()
    .where('resource_id', '=', resourceId)
    .orderBy('occurred_at')
    .orderBy('audit_id')
    .execute();
  return rows.map((row) => ({ ...row, fields: JSON.parse(row.fields) as Record<string, unknown> }));
}
