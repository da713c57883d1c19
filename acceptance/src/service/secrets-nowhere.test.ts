import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createEvent, registerDevice, toDeviceClient } from '@tps/simulator';
import { FormBrowser, signIn } from '@tps/testing/browser';
import { findFreePort, startDiscoveryStandIn } from '@tps/testing/network';
import { findCredentialsFile, type SpawnedService, spawnService } from '@tps/testing/process';
import { startReceiver } from '@tps/testing/receiver';
import { createTestStore, dumpStore, holdsText } from '@tps/testing/store';
import { expect, onTestFinished, test } from 'vitest';

interface Call {
  readonly method?: string;
  readonly credential?: string;
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls the API, and keeps every answer that must not contain a secret. */
class Witness {
  readonly answers: string[] = [];
  readonly #baseUrl: string;
  readonly #credential: string;

  constructor({ baseUrl }: SpawnedService, credential: string) {
    this.#baseUrl = baseUrl;
    this.#credential = credential;
  }

  /** Returns an answer that creates a secret, and is therefore not kept. */
  async create<Body>(path: string, body: object | string, call: Call = {}): Promise<Body> {
    const { status, text } = await this.#send(path, { method: 'POST', body, ...call });
    expect(status, `${path}: ${text}`).toBeLessThan(300);
    return JSON.parse(text) as Body;
  }

  async ask(path: string, call: Call = {}): Promise<number> {
    const { status, text, headers } = await this.#send(path, call);
    this.answers.push(`${status} ${headers} ${text}`);
    return status;
  }

  async #send(path: string, { method = 'GET', credential = this.#credential, body, headers = {} }: Call) {
    const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json';
    const response = await fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: {
        ...(credential && { authorization: `Bearer ${credential}` }),
        ...(body === undefined ? {} : { 'content-type': type }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const { status } = response;
    return { status, headers: JSON.stringify([...response.headers]), text: await response.text() };
  }
}

async function startService() {
  const store = await createTestStore('empty');
  onTestFinished(store.drop);
  const settings = {
    SERVICE_SECRET_KEY_B64: randomBytes(32).toString('base64'),
    SERVICE_SECRET_KEY_B64_PREVIOUS: randomBytes(32).toString('base64'),
    SERVICE_METRICS_TOKEN: 'marked-metrics-token',
  };
  const service = await spawnService({
    env: {
      ...settings,
      SERVICE_DATABASE_URL: store.url,
      SERVICE_LOG_LEVEL: 'trace',
      SERVICE_METRICS_BIND: '127.0.0.1:0',
      // Nothing listens there: the failure to send a mail is logged.
      SERVICE_SMTP_URL: `smtp://someone:marked-mail-password@127.0.0.1:${await findFreePort()}`,
      SERVICE_SMTP_FROM: 'tps@example.com',
      SERVICE_WEBHOOK_ALLOW_INSECURE_TARGETS: 'true',
    },
  });
  const secrets = { ...settings, mailPassword: 'marked-mail-password' };
  return { store, service, secrets };
}

/** What programs do with tokens, clients, webhooks and devices. Returns the secrets. */
async function usePrograms(service: SpawnedService, witness: Witness): Promise<Record<string, string>> {
  const { tenantId } = service.credentials();
  const scopes = ['status:read'];
  const token = await witness.create<{ token: string; token_id: string }>('/tokens', { name: 'a', scopes });
  const rolled = await witness.create<{ token: string }>(`/tokens/${token.token_id}/roll`, {});
  const enrolment = await witness.create<{ secret: string }>('/enrolments', { name: 'e', max_uses: 1 });
  const device = await registerDevice({
    baseUrl: service.baseUrl,
    tenantId,
    credential: enrolment.secret,
  });
  const receiver = await startReceiver({
    respond: ({ headers }) => ({ status: 500, body: JSON.stringify(headers) }),
  });
  onTestFinished(() => receiver.close());
  const webhookSecret = randomBytes(24).toString('base64url');
  await witness.create('/webhooks', { url: receiver.url, secret: webhookSecret });
  await toDeviceClient(device, service).submitEvent(createEvent(device, { action_taken: 'block' }));
  await receiver.waitFor(1);

  const client = await witness.create<{ client_id: string; client_secret: string }>('/oauth-clients', {
    name: 'c',
    grant_types: ['client_credentials'],
    scopes,
  });
  const form = `grant_type=client_credentials&client_id=${client.client_id}&client_secret=`;
  const access = await witness.create<{ access_token: string }>('/auth/token', form + client.client_secret, {
    credential: '',
  });
  const wrong = { method: 'POST', body: `${form}marked-wrong-secret`, credential: '' };
  expect(await witness.ask('/auth/token', wrong)).toBe(401);
  const provider = await startDiscoveryStandIn();
  onTestFinished(() => provider.close());
  const clientSecret = randomBytes(24).toString('base64url');
  const signOn = { issuer: provider.issuer, client_id: 'tps', allowed_domains: ['example.com'] };
  await witness.ask('/sign-on', { method: 'PUT', body: { ...signOn, client_secret: clientSecret } });
  return {
    token: token.token,
    rolled: rolled.token,
    enrolment: enrolment.secret,
    device: device.credential,
    webhookSecret,
    oauthSecret: client.client_secret,
    accessToken: access.access_token,
    wrongOauthSecret: 'marked-wrong-secret',
    signOnSecret: clientSecret,
  };
}

/** How a person gets access. Returns the secrets. */
async function usePages(service: SpawnedService, witness: Witness): Promise<Record<string, string>> {
  const { adminLink } = service.credentials();
  const browser = new FormBrowser(service.baseUrl);
  const person = { email: 'ada@example.com', password: 'marked password of a person' };
  await browser.submit(await browser.open(adminLink), { ...person, name: 'Ada' });
  const wrong = await signIn(new FormBrowser(service.baseUrl), {
    ...person,
    password: 'marked wrong password',
  });
  const right = new FormBrowser(service.baseUrl);
  const signedIn = await signIn(right, person);
  witness.answers.push(wrong.text, signedIn.text);
  const invitation = await witness.create<{ link: string }>('/invitations', {
    role: 'viewer',
    email: 'kim@example.com',
  });
  return {
    password: person.password,
    wrongPassword: 'marked wrong password',
    session: right.cookies.get('tps-session') ?? '',
    adminLink: new URL(adminLink).searchParams.get('token') ?? '',
    invitation: new URL(invitation.link).searchParams.get('token') ?? '',
  };
}

/** Sends secrets where they do not belong. */
async function makeMistakes(witness: Witness, { token = '', webhookSecret = '' }: Record<string, string>) {
  const unknown = `svc_live_${'marked0'.repeat(5)}abcd`;
  const url = 'https://example.com/hooks';
  const statuses = [
    await witness.ask('/status', { credential: unknown }),
    await witness.ask('/status', { headers: { 'x-api-key': token } }),
    await witness.ask(`/status?access_token=${token}`),
    await witness.ask(`/tokens/${token}`),
    await witness.ask(`/incidents?status=${token}`),
    await witness.ask('/webhooks', { method: 'POST', body: { url, secret: 'marked' } }),
    await witness.ask('/webhooks', { method: 'POST', body: { url, secrets: webhookSecret } }),
    await witness.ask('/webhooks', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"url":"${url}","secret":"${webhookSecret}"`,
    }),
    await witness.ask('/webhooks', {
      method: 'POST',
      body: { url: `https://me:${webhookSecret}@example.com/` },
    }),
  ];
  expect(statuses.filter((status) => status < 400 || status > 499)).toEqual([]);
  for (const path of ['/tokens', '/tokens/audit', '/webhooks', '/webhooks/dlq', '/oauth-clients', '/audit'])
    expect(await witness.ask(path), path).toBe(200);
  expect(await witness.ask('/sign-on')).toBe(200);
  return { unknown };
}

test('at the log level trace, secrets are in no log line, no other answer and not in the store', async () => {
  const { store, service, secrets: settings } = await startService();
  const { admin, operator } = service.credentials();
  const witness = new Witness(service, admin);
  const ofPrograms = await usePrograms(service, witness);
  const ofPeople = await usePages(service, witness);
  const mistakes = await makeMistakes(witness, ofPrograms);
  const { code, output } = await service.stop();
  expect(code).toBe(0);
  const secrets = { ...settings, admin, operator, ...ofPrograms, ...ofPeople, ...mistakes };
  expect(Object.values(secrets).filter((secret) => secret.length < 16)).toEqual([]);

  // The operator deletes this file after the first start.
  rmSync(findCredentialsFile(output) ?? '');
  const dump = await dumpStore(store);
  expect(output).toContain('"operation":"createWebhook"');
  expect(dump).toContain('ada@example.com');
  const findLeaks = (text: string) =>
    Object.entries(secrets)
      .filter(([, secret]) => holdsText(text, secret) || text.includes(encodeURIComponent(secret)))
      .map(([name]) => name);
  expect(findLeaks(output), 'the log').toEqual([]);
  expect(findLeaks(dump), 'the store').toEqual([]);
  for (const answer of witness.answers) expect(findLeaks(answer), answer).toEqual([]);
});
