import { randomBytes } from 'node:crypto';
import { ServiceUnreachableError } from '@tps/agent';
import { verifyWebhook } from '@tps/client';
import type { Event, Webhook } from '@tps/contract';
import { type AgentlessDevice, createEvent, registerDevice, toDeviceClient } from '@tps/simulator';
import { FormBrowser } from '@tps/testing/browser';
import { startDiscoveryStandIn } from '@tps/testing/network';
import { type CommandRun, runCommand, SERVICE_MAIN, spawnProgram } from '@tps/testing/process';
import { type ReceivedRequest, startReceiver, type WebhookReceiver } from '@tps/testing/receiver';
import { createPerson, type TestPerson, testFetch, WEBHOOK_ENV } from '@tps/testing/service';
import { createTestStore, dumpTables } from '@tps/testing/store';
import { ManualClock, waitUntil } from '@tps/testing/time';
import { sql } from 'kysely';
import { generateSync } from 'otplib';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../database/index.ts';
import { TABLE_NAMES, TABLES } from '../../database/tables/index.ts';
import { type AccountId, SecondFactors } from '../../features/accounts/index.ts';
import { Secret } from '../../platform/crypto/secret.ts';
import { SecretBox } from '../../platform/crypto/secret-box.ts';
import { checkInstallation } from '../check/check-installation.ts';
import type { FirstStart } from '../service/first-start.ts';
import { type RestartableNode, startRestartableNode } from './testing/restartable-node.ts';

const IS_SQLITE = process.env.TEST_STORE !== 'postgres';
/** More than one transaction of "secrets rewrap" seals. */
const WEBHOOKS = 21;
/** More than sign in during the rehearsal. */
const PEOPLE = 24;
/** Ends a wait that hangs, not one that is slow. */
const PATIENCE_MS = 120_000;
/** Nodes start six times on PostgreSQL: 50 s on two busy processors. */
const LIMIT = { timeout: 600_000 };

const OLD = randomBytes(32);
const NEW = randomBytes(32);

/** The settings of a node with these master keys. */
function keys(current: Buffer, previous?: Buffer): Record<string, string> {
  return {
    SERVICE_SECRET_KEY_B64: current.toString('base64'),
    ...(previous && { SERVICE_SECRET_KEY_B64_PREVIOUS: previous.toString('base64') }),
  };
}

function idOf(key: Buffer): string {
  return new SecretBox({ masterKey: new Secret(key) }).keyId;
}

interface Person extends TestPerson {
  readonly totpSecret: string;
}

/** An installation with secrets of every kind, and what clients of it do. */
class Rehearsal {
  readonly nodes: readonly RestartableNode[];
  readonly env: Record<string, string>;
  readonly receiver: WebhookReceiver;
  readonly acknowledged = new Map<string, Event>();
  readonly problems: string[] = [];
  readonly #first: FirstStart;
  readonly #secrets = new Map<string, string>();
  readonly #people: Person[] = [];
  #signIns = 0;
  #wantedSignIns = 0;
  #isOver = false;
  #traffic: Promise<unknown> = Promise.resolve();

  constructor(parts: Pick<Rehearsal, 'nodes' | 'env' | 'receiver'> & { first: FirstStart }) {
    this.nodes = parts.nodes;
    this.env = parts.env;
    this.receiver = parts.receiver;
    this.#first = parts.first;
  }

  /** The store, through the first node. */
  get database(): Database {
    const database = this.nodes[0]?.service()?.database;
    if (!database) throw new Error('the first node is down');
    return database;
  }

  async call(path: string, { method = 'GET', body }: { method?: string; body?: object } = {}) {
    const response = await testFetch(`${this.nodes[0]?.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#first.adminCredential}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.status, path).toBeLessThan(300);
    return response.json();
  }

  /** Registers a webhook for every event that was blocked, or for none, which only has a secret. */
  async addWebhook(severities?: readonly string[]): Promise<void> {
    const path = `/${this.#secrets.size}`;
    const secret = randomBytes(24).toString('base64url');
    const url = new URL(path, this.receiver.url).href;
    const filter = severities && { severity_filter: severities };
    await this.call('/webhooks', { method: 'POST', body: { url, secret, ...filter } });
    this.#secrets.set(path, secret);
  }

  /** Rotates the secret of a webhook that gets no events. */
  async rotateSecret(): Promise<void> {
    const { data } = (await this.call('/webhooks?limit=1')) as { data: Webhook[] };
    const secret = randomBytes(24).toString('base64url');
    await this.call(`/webhooks/${data[0]?.webhook_id}/rotate-secret`, { method: 'POST', body: { secret } });
  }

  /** Adds people with authenticator apps, whose last code was that of a minute ago. */
  async addPeople(count: number): Promise<void> {
    const masterKey = new Secret(OLD);
    const clock = new ManualClock(Date.now() - 60_000);
    const factors = new SecondFactors({ secrets: new SecretBox({ masterKey }), clock });
    const tenant = { tenantId: this.#first.tenantId, credential: '' };
    for (let index = 0; index < count; index += 1) {
      const person = await createPerson({ service: { database: this.database } as never, tenant });
      const accountId = person.accountId as AccountId;
      const secret = await this.database.transaction((tx) => factors.begin(tx, accountId));
      const totpSecret = secret?.reveal() ?? '';
      const code = generateSync({ secret: totpSecret, epoch: Math.floor(clock.now() / 1000) });
      await this.database.transaction((tx) => factors.confirm(tx, accountId, code));
      this.#people.push({ ...person, totpSecret });
    }
  }

  async startTraffic(): Promise<void> {
    const [node] = this.nodes;
    if (!node) throw new Error('there is no node');
    const { tenantId, adminCredential: credential } = this.#first;
    const device = await registerDevice({ baseUrl: node.baseUrl, tenantId, credential });
    this.#traffic = Promise.all([
      ...this.nodes.map((each) => this.#sendEvents(each, device)),
      this.#signInAgain(),
    ]);
  }

  /** Resolves when the nodes have accepted more events, and a person has signed in, since the call. */
  async goOn(): Promise<void> {
    const events = this.acknowledged.size + 2 * this.nodes.length;
    const signIns = this.#signIns + 1;
    this.#wantedSignIns = Math.max(this.#wantedSignIns, signIns);
    await waitUntil(
      () => this.problems.length > 0 || (this.acknowledged.size >= events && this.#signIns >= signIns),
      PATIENCE_MS,
    );
    expect(this.problems).toEqual([]);
  }

  async endTraffic(): Promise<void> {
    this.#isOver = true;
    await this.#traffic;
    expect(this.problems).toEqual([]);
  }

  /** Sends one event after the other, each until it is acknowledged. */
  async #sendEvents(node: RestartableNode, device: AgentlessDevice): Promise<void> {
    const client = toDeviceClient(device, { baseUrl: node.baseUrl });
    while (!this.#isOver) {
      await waitUntil(() => this.#isOver || node.service() !== undefined, PATIENCE_MS);
      const event = createEvent(device, { action_taken: 'block', severity: 'low' });
      const send = async (): Promise<boolean> => {
        try {
          await client.submitEvent(event);
          return true;
        } catch (error) {
          if (!isOutage(error)) throw error;
          return false;
        }
      };
      try {
        await waitUntil(send, PATIENCE_MS);
        this.acknowledged.set(event.event_id, event);
      } catch (error) {
        this.problems.push(`event refused: ${String(error)}`);
        return;
      }
    }
  }

  /** Lets people sign in with password and code at a node that is up. Each signs in once: a code does not count twice. */
  async #signInAgain(): Promise<void> {
    for (const person of this.#people) {
      const isUp = () => this.nodes.some((node) => node.service());
      await waitUntil(() => this.#isOver || (this.#signIns < this.#wantedSignIns && isUp()), PATIENCE_MS);
      if (this.#isOver) return;
      const node = this.nodes.findLast((each) => each.service());
      const outcome = node && (await this.#signIn(person, node));
      if (outcome === 'signed in') this.#signIns += 1;
      else if (outcome !== 'outage') this.problems.push(`sign-in: ${outcome}`);
    }
    this.problems.push('everyone has signed in');
  }

  async #signIn({ email, password, totpSecret }: Person, { baseUrl }: RestartableNode): Promise<string> {
    const browser = new FormBrowser(baseUrl);
    try {
      const login = await browser.open('/auth/login?return_to=/auth/logout');
      if (login.status === 503) return 'outage';
      const page = await browser.submit(login, { email, password });
      if (page.status === 503) return 'outage';
      const code = generateSync({ secret: totpSecret, epoch: Math.floor(Date.now() / 1000) });
      const last = await browser.submit(page, { code });
      if (last.status === 503) return 'outage';
      return last.title.startsWith('Sign out') ? 'signed in' : `${last.status} ${last.text}`;
    } catch (error) {
      return isOutage(error) ? 'outage' : String(error);
    }
  }

  /** Expects every acknowledged event at every webhook for it, with signatures that its secret verifies. */
  async expectDelivered(webhookPath: string, events: readonly Event[]): Promise<void> {
    const ofWebhook = () => this.receiver.requests.filter(({ path }) => path === webhookPath);
    const arrived = () => new Set(ofWebhook().map(({ body }) => (JSON.parse(body) as Event).event_id));
    await waitUntil(() => events.every(({ event_id }) => arrived().has(event_id)));
    const secrets = [this.#secrets.get(webhookPath) ?? ''];
    for (const request of ofWebhook()) await verify(request, secrets);
  }
}

async function verify({ headers, body }: ReceivedRequest, secrets: readonly string[]): Promise<void> {
  await verifyWebhook({ headers, rawBody: Buffer.from(body), secrets });
}

/** Whether a node was stopping or stopped, so that a client tries again. */
function isOutage(error: unknown): boolean {
  const { status } = error as { status?: unknown };
  const isNetwork = error instanceof TypeError && ['fetch failed', 'terminated'].includes(error.message);
  return status === 503 || isNetwork || error instanceof ServiceUnreachableError;
}

async function startRehearsal(): Promise<Rehearsal> {
  const store = await createTestStore();
  onTestFinished(store.drop);
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const env = { ...WEBHOOK_ENV, SERVICE_DATABASE_URL: store.url };
  const nodes: RestartableNode[] = [];
  for (let index = 0; index < (IS_SQLITE ? 1 : 2); index += 1) {
    const node = await startRestartableNode({ ...env, ...keys(OLD) });
    onTestFinished(() => node.stop());
    nodes.push(node);
  }
  const [node] = nodes;
  if (!node?.first) throw new Error('the first node has created no tenant');
  return new Rehearsal({ nodes, env, receiver, first: node.first });
}

function countUnder(database: Database, keyId: string): Promise<number> {
  const query = sql<{ count: number }>`select count(*) as count from webhooks where secret_key_id = ${keyId}`;
  return query.execute(database.read.db).then(({ rows }) => rows[0]?.count ?? 0);
}

/** Every column of the store that holds a secret: none may keep the old key. */
const SEALED = TABLE_NAMES.flatMap((table) =>
  Object.entries<string>(TABLES[table].columns).flatMap(([column, kind]) =>
    kind.startsWith('sealed') ? [`${table}.${column}`] : [],
  ),
);

/** Lists the columns that hold a secret now. */
async function listSealed({ read }: Database): Promise<string[]> {
  const filled: string[] = [];
  for (const name of SEALED) {
    const [table = '', column = ''] = name.split('.');
    const query = sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} is not null limit 1`;
    if ((await query.execute(read.db)).rows.length > 0) filled.push(name);
  }
  return filled;
}

/** Runs the command, again while the busy service has the lock of the SQLite file for too long. */
async function runRewrap(env: Record<string, string>): Promise<CommandRun> {
  let run = await runCommand(['secrets', 'rewrap', '--json'], env);
  await waitUntil(async () => {
    if (!run.output.includes('locked by other work')) return true;
    run = await runCommand(['secrets', 'rewrap', '--json'], env);
    return false;
  });
  return run;
}

/** Kills "secrets rewrap" after its first transaction: on PostgreSQL, the next one waits for a row. */
async function killRewrap({ database, env }: Rehearsal): Promise<void> {
  const program = () =>
    spawnProgram({
      program: SERVICE_MAIN,
      args: ['secrets', 'rewrap'],
      env: { ...env, ...keys(NEW, OLD) },
    });
  const killOnce = async () => {
    const before = await countUnder(database, idOf(NEW));
    const rewrap = program();
    await Promise.race([
      waitUntil(async () => (await countUnder(database, idOf(NEW))) > before),
      rewrap.ended,
    ]);
    await rewrap.kill();
  };
  if (IS_SQLITE) return killOnce();
  await database.transaction(async (tx) => {
    await sql`select webhook_id from webhooks where secret_key_id = ${idOf(OLD)}
      order by tenant_id desc, webhook_id desc limit 1 for update`.execute(tx.db);
    await killOnce();
  });
  expect(await countUnder(database, idOf(OLD))).toBeGreaterThan(0);
}

// The steps under "To replace the key" in docs/configuration.md.
test('the master key is replaced while clients continue, and nothing is lost', LIMIT, async () => {
  const rehearsal = await startRehearsal();
  const { nodes, env } = rehearsal;
  const restartAll = async (settings: Record<string, string>) => {
    for (const node of nodes) {
      await Promise.all([node.restart({ ...env, ...settings }), rehearsal.goOn()]);
      await rehearsal.goOn();
    }
  };
  for (let index = 0; index < WEBHOOKS; index += 1)
    await rehearsal.addWebhook(index === 0 ? undefined : ['critical']);
  await rehearsal.addPeople(PEOPLE);
  const provider = await startDiscoveryStandIn();
  onTestFinished(() => provider.close());
  const settings = { issuer: provider.issuer, client_id: 'tps', allowed_domains: ['example.com'] };
  await rehearsal.call('/sign-on', { method: 'PUT', body: { ...settings, client_secret: 'sesame-sesame' } });
  const channel = { name: 'on call', kind: 'slack', url: rehearsal.receiver.url };
  await rehearsal.call('/notice-channels', { method: 'POST', body: channel });
  await rehearsal.rotateSecret();
  const publicKeys = () =>
    Promise.all([
      rehearsal.call('/auth/jwks'),
      rehearsal.call('/indicators/bundle').then((bundle) => keyIdsOf(bundle as SignedBundle)),
    ]);
  const before = await publicKeys();
  expect(await listSealed(rehearsal.database)).toEqual(SEALED);
  // With another key than the one that the secrets are encrypted with, nothing changes, and every secret is counted.
  const stranger = randomBytes(32);
  const refused = await runRewrap({ ...env, ...keys(NEW, stranger) });
  expect(JSON.parse(refused.printed)).toEqual({ rewrapped: 0, unreadable: WEBHOOKS + PEOPLE + 3 });
  expect(refused.output).toContain('Keep the previous key');
  expect(refused.code).toBe(1);

  await rehearsal.startTraffic();
  await rehearsal.goOn();

  // 1. With several nodes, first the new key as the previous one on each; then both swapped.
  if (!IS_SQLITE) {
    await restartAll(keys(OLD, NEW));
    // What one node seals with the old key, the others read with it as the previous one.
    await rehearsal.addWebhook();
  }
  await restartAll(keys(NEW, OLD));
  await rehearsal.addWebhook();

  // 2. Rewrap, which is killed in the middle and run again.
  await Promise.all([killRewrap(rehearsal), rehearsal.goOn()]);
  const rewrap = await runRewrap({ ...env, ...keys(NEW, OLD) });
  expect(rewrap.output).toBe(rewrap.printed);
  expect(JSON.parse(rewrap.printed)).toEqual({ rewrapped: expect.any(Number), unreadable: 0 });
  expect(rewrap.code).toBe(0);

  // 3. Without the old key.
  await restartAll(keys(NEW));
  const check = await checkInstallation({ ...env, ...keys(NEW), SERVICE_BIND: '127.0.0.1:0' });
  expect(check.problems.filter(({ part }) => part === 'secrets')).toEqual([]);
  for (const [table, rows] of await dumpTables(rehearsal.database))
    expect(
      rows.filter((row) => row.includes(idOf(OLD))),
      table,
    ).toEqual([]);
  expect(await publicKeys()).toEqual(before);

  await rehearsal.endTraffic();
  const sent = [...rehearsal.acknowledged.values()];
  const { data } = (await rehearsal.call('/webhooks?limit=100')) as { data: Webhook[] };
  expect(data.every(({ status }) => status === 'active')).toBe(true);
  await rehearsal.expectDelivered('/0', sent);
  const stored = await rehearsal.database.read.db.selectFrom('events').select('event_id').execute();
  const storedIds = new Set(stored.map(({ event_id }) => event_id));
  expect(sent.filter(({ event_id }) => !storedIds.has(event_id))).toEqual([]);
});

/** A bundle as DSSE signs it. */
interface SignedBundle {
  readonly signatures: readonly { readonly keyid: string }[];
}

/** The ids of the keys that have signed a bundle. */
function keyIdsOf({ signatures }: SignedBundle): string[] {
  return signatures.map(({ keyid }) => keyid);
}
