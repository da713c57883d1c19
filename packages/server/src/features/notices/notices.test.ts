import type { Notice, NoticeChannel, ProtectionStatus } from '@tps/contract';
import { useMailServer } from '@tps/testing/mail';
import { WEBHOOK_ENV } from '@tps/testing/service';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test, vi } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import { HOUR_MS, type Sender, SOON, usePushScene } from '../webhooks/deliveries/testing/push-scene.ts';
import { ProtectionWatch } from './protection/protection-watch.ts';

const mailServer = useMailServer();
const scene = usePushScene(() => ({
  ...WEBHOOK_ENV,
  SERVICE_SMTP_URL: mailServer.url,
  SERVICE_SMTP_FROM: 'tps@example.com',
}));

const SECRET = 'a-secret-of-thirty-two-characters';

async function addChannel(sender: Sender, body: object): Promise<NoticeChannel> {
  const answer = await sender.call('POST', '/notice-channels', { name: 'c', ...body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body as NoticeChannel;
}

async function addReceiver(sender: Sender, members: object = {}) {
  const receiver = await scene.receive();
  const channel = await addChannel(sender, {
    kind: 'webhook',
    url: receiver.url,
    secret: SECRET,
    ...members,
  });
  return { receiver, channel };
}

async function listNotices(sender: Sender, query = ''): Promise<Notice[]> {
  const answer = await sender.call('GET', `/notices?limit=100${query}`);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as { data: Notice[] }).data;
}

/** Waits until the notices have these states, newest first. */
function waitForStates(sender: Sender, states: readonly string[]): Promise<Notice[]> {
  return vi.waitFor(async () => {
    const notices = await listNotices(sender);
    expect(notices.map(({ state }) => state)).toEqual(states);
    return notices;
  }, SOON);
}

/** Waits until the only notice has failed this often, and returns why. */
function waitForFailure(sender: Sender, attempts: number): Promise<string | null> {
  return vi.waitFor(async () => {
    const [notice] = await listNotices(sender);
    expect(notice).toMatchObject({ state: 'waiting', attempts, last_error: expect.any(String) });
    return notice?.last_error ?? null;
  }, SOON);
}

/** Opens an incident. Another category is another incident. */
async function openIncident(sender: Sender, members: object = {}): Promise<void> {
  await sender.send({ severity: 'high', ...members });
}

async function firstIncident(sender: Sender): Promise<string> {
  const { body } = await sender.call('GET', '/incidents');
  return (body as { data: { id: string }[] }).data[0]?.id ?? '';
}

const causeOf = ({ body }: { body: string }) => (JSON.parse(body) as { cause: string }).cause;
const CATEGORIES = ['phishing', 'phone_scam', 'malicious_app', 'social_engineering', 'deepfake'] as const;

test('an incident of high severity reaches mail, Slack and webhook, once each', async () => {
  const sender = await scene.createSender();
  const slack = await scene.receive();
  await addChannel(sender, { kind: 'email', address: 'kim@example.com' });
  await addChannel(sender, { kind: 'slack', url: slack.url });
  const { receiver } = await addReceiver(sender);
  await openIncident(sender);
  // It joins the incident.
  await sender.send({ severity: 'high' });
  const notices = await waitForStates(sender, ['sent', 'sent', 'sent']);
  const incident = await firstIncident(sender);
  for (const notice of notices) {
    expect(notice).toMatchObject({
      cause: 'incident_opened',
      severity: 'high',
      resource_id: incident,
      attempts: 1,
    });
  }
  const mail = mailServer.mails.find(({ text }) => text.includes(incident));
  expect(mail?.to).toEqual(['kim@example.com']);
  expect(mail?.headers).toMatch(/^Subject: \[high\] Incident opened: Phishing on device dev_/im);
  expect(mail?.headers).toMatch(/^Message-ID: <ntc_[0-9a-z]+@example\.com>\r?$/im);
  expect(mail?.text).toContain(`/console/${sender.tenant.tenantId}/incidents/${incident}`);
  expect(slack.requests).toHaveLength(1);
  expect(JSON.parse(slack.requests[0]?.body ?? '')).toMatchObject({
    text: expect.stringContaining(incident),
  });
  const [request] = receiver.requests;
  expect(receiver.requests).toHaveLength(1);
  expect(JSON.parse(request?.body ?? '')).toMatchObject({ cause: 'incident_opened', resource_id: incident });
  const sentBy = Buffer.from(SECRET).toString('base64');
  const { headers = {} } = request ?? {};
  // The library rejects times other than now; the service has the clock of the test, which is hardly ahead.
  expect(new Webhook(sentBy).verify(request?.body ?? '', headers)).toMatchObject({ type: 'notice' });
});

test('the end of an incident reaches the channels that know of it, and no others', async () => {
  const sender = await scene.createSender();
  const { receiver } = await addReceiver(sender);
  await openIncident(sender);
  await waitForStates(sender, ['sent']);
  const late = await addReceiver(sender);
  const path = `/incidents/${await firstIncident(sender)}`;
  const resolved = await sender.call('PATCH', path, { status: 'resolved', resolution: 'true_positive' });
  expect(resolved.status).toBe(200);
  await waitForStates(sender, ['sent', 'sent']);
  expect(receiver.requests.map(causeOf)).toEqual(['incident_opened', 'incident_resolved']);
  expect(JSON.parse(receiver.requests[1]?.body ?? '')).toMatchObject({
    message: expect.stringContaining('resolved as true positive'),
  });

  await sender.call('PATCH', path, { status: 'in_progress', comment: 'again' });
  await waitForStates(sender, ['sent', 'sent', 'sent', 'sent']);
  expect(late.receiver.requests.map(causeOf)).toEqual(['incident_opened']);
});

test('a channel gets its severity and topics only, also when an incident becomes severe', async () => {
  const sender = await scene.createSender();
  const { receiver: critical } = await addReceiver(sender, { min_severity: 'critical' });
  const { receiver: other } = await addReceiver(sender, { topics: ['protection'] });
  const { channel: paused } = await addReceiver(sender);
  await sender.call('PATCH', `/notice-channels/${paused.channel_id}`, { status: 'paused' });
  await openIncident(sender);
  expect(await listNotices(sender)).toEqual([]);
  const path = `/incidents/${await firstIncident(sender)}`;
  await sender.call('PATCH', path, { severity: 'critical' });
  await sender.call('PATCH', path, { severity: 'high' });
  await sender.call('PATCH', path, { severity: 'critical' });
  await waitForStates(sender, ['sent']);
  expect(critical.requests).toHaveLength(1);
  expect(other.requests).toHaveLength(0);
});

test('a refused change of an incident leaves no notice', async () => {
  const sender = await scene.createSender();
  await addReceiver(sender);
  await openIncident(sender, { severity: 'medium' });
  const before = await listNotices(sender);
  const answer = await sender.call('PATCH', '/incidents/inc_00000000000000000000000000', {
    severity: 'critical',
  });
  expect(answer.status).toBe(404);
  expect(await listNotices(sender)).toEqual(before);
});

test('a tenant whose last device is revoked is notified that its protection has ended', async () => {
  const sender = await scene.createSender();
  const { receiver } = await addReceiver(sender, { topics: ['protection'] });
  const { database } = scene.service.service;
  const { clock } = scene;
  const statusOf = async () => (await sender.call('GET', '/status')).body as ProtectionStatus;
  const logger = createLogger({ level: 'silent', destination: { write: () => undefined } });
  const look = () => new ProtectionWatch({ database, clock, logger, statusOf }).check(sender.tenant.tenantId);
  await look();
  const { body } = await sender.call('GET', '/devices');
  const [device] = (body as { data: { device_id: string }[] }).data;
  await sender.call('PATCH', `/devices/${device?.device_id}`, { status: 'revoked' });
  await look();
  await look();
  await receiver.waitFor(1);
  const [notice] = await waitForStates(sender, ['sent']);
  expect(notice).toMatchObject({
    ...{ cause: 'protection_degraded', severity: 'high', resource_id: null },
    message: 'The protection status is unprotected: No device is active',
  });
});

describe('when a channel fails', () => {
  test('a notice is sent again after a pause, with the same id', async () => {
    const sender = await scene.createSender();
    const { receiver } = await addReceiver(sender);
    receiver.respondWith((_, index) => (index < 2 ? 503 : 200));
    await openIncident(sender);
    expect(await waitForFailure(sender, 1)).toBe('The receiver responded with 503');
    scene.clock.advance(5_000);
    await receiver.waitFor(2);
    await waitForFailure(sender, 2);
    scene.clock.advance(30_000);
    await waitForStates(sender, ['sent']);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(receiver.requests).toHaveLength(3);
  });

  test.each(['webhook', 'slack'])('a %s channel that asks for a pause gets nothing before', async (kind) => {
    const sender = await scene.createSender();
    const { receiver } = await addReceiver(sender, kind === 'slack' ? { kind, secret: undefined } : { kind });
    const asking = { status: 429, headers: { 'retry-after': '600' } };
    receiver.respondWith((_, index) => (index === 0 ? asking : 200));
    await openIncident(sender);
    await waitForFailure(sender, 1);
    await openIncident(sender, { threat_category: 'phone_scam' });
    for (const minutes of [1, 4, 4]) {
      scene.clock.advance(minutes * 60_000);
      const other = await scene.createSender();
      const { receiver: prompt } = await addReceiver(other);
      await openIncident(other);
      await prompt.waitFor(1);
    }
    expect(receiver.requests).toHaveLength(1);
    scene.clock.advance(120_000);
    await receiver.waitFor(2);
  });

  test('a raise is a new notice, which replaces the one that waits for its repeat', async () => {
    const sender = await scene.createSender();
    const { receiver } = await addReceiver(sender);
    receiver.respondWith((_, index) => (index === 0 ? 503 : 200));
    await openIncident(sender);
    await waitForFailure(sender, 1);
    const path = `/incidents/${await firstIncident(sender)}`;
    await sender.call('PATCH', path, { severity: 'critical' });
    const [, outdated] = await waitForStates(sender, ['sent', 'failed']);
    expect(outdated?.last_error).toBe('Replaced by a later notice about the same');
    expect(JSON.parse(receiver.requests[1]?.body ?? '')).toMatchObject({ severity: 'critical' });
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  });

  test('an incident that is opened again is not reported as resolved afterwards', async () => {
    const sender = await scene.createSender();
    const { receiver } = await addReceiver(sender);
    receiver.respondWith((_, index) => (index === 1 ? 503 : 200));
    await openIncident(sender);
    await waitForStates(sender, ['sent']);
    const path = `/incidents/${await firstIncident(sender)}`;
    await sender.call('PATCH', path, { status: 'resolved', resolution: 'true_positive' });
    await vi.waitFor(async () => {
      expect((await listNotices(sender))[0]).toMatchObject({ state: 'waiting', attempts: 1 });
    }, SOON);
    await sender.call('PATCH', path, { status: 'in_progress', comment: 'again' });
    await waitForStates(sender, ['sent', 'failed', 'sent']);
    expect(receiver.requests.map(causeOf)).toEqual([
      'incident_opened',
      'incident_resolved',
      'incident_opened',
    ]);
  });

  test('an address that the mail server does not know is given up at once', async () => {
    const sender = await scene.createSender();
    await addChannel(sender, { kind: 'email', address: 'unknown@example.com' });
    mailServer.refuse(true, 550);
    await openIncident(sender);
    const [notice] = await waitForStates(sender, ['failed']);
    mailServer.refuse(false);
    expect(notice).toMatchObject({ attempts: 1, last_error: 'The mail server refused the mail with 550' });
  });

  test('a mail server that refuses is tried again', async () => {
    const sender = await scene.createSender();
    await addChannel(sender, { kind: 'email', address: 'lee@example.com' });
    mailServer.refuse(true);
    await openIncident(sender);
    expect(await waitForFailure(sender, 1)).toBe('The mail server refused the mail with 450');
    mailServer.refuse(false);
    scene.clock.advance(5_000);
    await waitForStates(sender, ['sent']);
    expect(mailServer.mails.filter(({ to }) => to.includes('lee@example.com'))).toHaveLength(1);
  });

  test('a receiver that hangs delays no other channel', async () => {
    const sender = await scene.createSender();
    const { receiver: hanging } = await addReceiver(sender);
    hanging.respondWith('hang');
    const { receiver } = await addReceiver(sender);
    await openIncident(sender);
    await receiver.waitFor(1);
    await hanging.waitFor(1);
    hanging.dropConnections();
  });
});

test('during quiet hours notices wait, and arrive together afterwards', async () => {
  const sender = await scene.createSender();
  // They last for the next two hours.
  const time = (ms: number) => new Date(scene.clock.now() + ms).toISOString().slice(11, 16);
  const quietHours = {
    time_zone: 'UTC',
    days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
    from: time(-60_000),
    until: time(2 * HOUR_MS),
  };
  const { receiver } = await addReceiver(sender, { quiet_hours: quietHours });
  await openIncident(sender);
  await openIncident(sender, { threat_category: 'phone_scam' });
  const due = await vi.waitFor(async () => {
    const notices = await listNotices(sender, '&state=waiting');
    const times = notices.map(({ due_at }) => Date.parse(due_at ?? '') - scene.clock.now());
    expect(times.filter((ms) => ms > HOUR_MS)).toHaveLength(2);
    return notices;
  }, SOON);
  await openIncident(sender, { threat_category: 'malicious_app', severity: 'critical' });
  await receiver.waitFor(1);
  expect(JSON.parse(receiver.requests[0]?.body ?? '')).toMatchObject({ severity: 'critical' });

  scene.clock.advance(2 * HOUR_MS);
  const all = await waitForStates(sender, ['sent', 'sent', 'in_digest', 'in_digest']);
  expect(receiver.requests.map(causeOf)).toEqual(['incident_opened', 'digest']);
  const [digest] = all;
  expect(digest).toMatchObject({ cause: 'digest', message: expect.stringContaining('2 notices since') });
  expect(
    all.filter(({ digest_id }) => digest_id === digest?.notice_id).map(({ notice_id }) => notice_id),
  ).toEqual(due.map(({ notice_id }) => notice_id));
});

test('an incident that becomes critical while its notice waits breaks through quiet hours', async () => {
  const sender = await scene.createSender();
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const quietHours = { time_zone: 'UTC', days, from: '00:00', until: '00:00' };
  const { receiver: quiet } = await addReceiver(sender, { quiet_hours: quietHours });
  const { receiver: awake } = await addReceiver(sender);
  await openIncident(sender);
  await awake.waitFor(1);
  const path = `/incidents/${await firstIncident(sender)}`;
  for (const severity of ['critical', 'high', 'critical']) await sender.call('PATCH', path, { severity });
  await quiet.waitFor(1);
  await awake.waitFor(2);
  await waitForStates(sender, ['sent', 'sent', 'sent']);
  for (const { requests } of [quiet, awake]) {
    expect(JSON.parse(requests.at(-1)?.body ?? '')).toMatchObject({
      ...{ cause: 'incident_opened', severity: 'critical' },
      message: expect.stringContaining('(raised from high to critical)'),
    });
  }
  expect([quiet, awake].map(({ requests }) => requests.length)).toEqual([1, 2]);
});

test('a channel that cannot be read delays no other one', async () => {
  const sender = await scene.createSender();
  const { channel: broken } = await addReceiver(sender);
  const { receiver } = await addReceiver(sender);
  const { database } = scene.service.service;
  await database.transaction(({ db }) =>
    db
      .updateTable('notice_channels')
      .set({ quiet_hours: '{' })
      .where('channel_id', '=', broken.channel_id)
      .execute(),
  );
  await openIncident(sender);
  await receiver.waitFor(1);
});

test('above the limit per hour notices wait, and arrive as one digest', async () => {
  const sender = await scene.createSender();
  const { receiver } = await addReceiver(sender, { max_per_hour: 2 });
  const [first, second, ...others] = CATEGORIES;
  for (const category of [first, second]) {
    await openIncident(sender, { threat_category: category });
    await vi.waitFor(async () => expect(await listNotices(sender, '&state=!sent')).toEqual([]), SOON);
  }
  for (const category of others) await openIncident(sender, { threat_category: category });
  await vi.waitFor(async () => {
    const waiting = await listNotices(sender, '&state=waiting');
    expect(waiting.filter(({ due_at }) => Date.parse(due_at ?? '') > scene.clock.now())).toHaveLength(3);
  }, SOON);
  expect(receiver.requests).toHaveLength(2);
  scene.clock.advance(HOUR_MS);
  await receiver.waitFor(3);
  expect(receiver.requests.map(causeOf)).toEqual(['incident_opened', 'incident_opened', 'digest']);
  await waitForStates(sender, ['sent', 'in_digest', 'in_digest', 'in_digest', 'sent', 'sent']);
});

test('a change of the quiet hours lets waiting notices go', async () => {
  const sender = await scene.createSender();
  const time = (ms: number) => new Date(scene.clock.now() + ms).toISOString().slice(11, 16);
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const quietHours = { time_zone: 'UTC', days, from: time(-60_000), until: time(HOUR_MS) };
  const { receiver, channel } = await addReceiver(sender, { quiet_hours: quietHours });
  await openIncident(sender);
  await vi.waitFor(async () => {
    const [notice] = await listNotices(sender);
    expect(Date.parse(notice?.due_at ?? '')).toBeGreaterThan(scene.clock.now());
  }, SOON);
  await sender.call('PATCH', `/notice-channels/${channel.channel_id}`, { quiet_hours: null });
  await receiver.waitFor(1);
});

test('a test notice arrives during quiet hours', async () => {
  const sender = await scene.createSender();
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const quietHours = { time_zone: 'UTC', days, from: '00:00', until: '00:00', break_through: null };
  const { receiver, channel } = await addReceiver(sender, { quiet_hours: quietHours });
  const answer = await sender.call('POST', `/notice-channels/${channel.channel_id}/test`);
  expect(answer.status).toBe(202);
  await receiver.waitFor(1);
  expect(receiver.requests.map(causeOf)).toEqual(['test']);
});
