import { useMailServer } from '@tps/testing/mail';
import { useReceivers } from '@tps/testing/receiver';
import { useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { afterAll, expect, test } from 'vitest';
import { Secret } from '../../../platform/crypto/secret.ts';
import { createLogger } from '../../../platform/logger.ts';
import { Mailer } from '../../../platform/mail/mailer.ts';
import { OutboundClient } from '../../../platform/outbound/outbound-client.ts';
import { OperatorOutlet } from './operator-outlet.ts';
import type { ServiceCheck } from './service-check.ts';
import { ServiceWatch } from './service-watch.ts';

const receive = useReceivers();
const mailServer = useMailServer();
const store = useTestDatabase();
const client = new OutboundClient({ allowInsecureTargets: true });
afterAll(() => client.close());
let checks = 0;

/** A watch of one check, whose result the test decides. */
async function startWatch(scope: ServiceCheck['scope'] = 'process') {
  const receiver = await receive();
  checks += 1;
  const name = `check-${checks}`;
  let problem: string | undefined;
  const clock = new ManualClock();
  const lines: string[] = [];
  const logger = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  const findProblem = () => problem;
  const newWatch = () => {
    const mailer = new Mailer({
      server: { url: new Secret(mailServer.url), from: 'tps@example.com' },
      logger,
    });
    const targets = { url: new Secret(receiver.url), mailTo: `${name}@example.com` };
    return new ServiceWatch({
      ...{ database: store.database, clock, logger, baseUrl: 'https://tps.example.com' },
      checks: [{ name, scope, whatToDo: 'Fix it <soon>.', findProblem }],
      outlet: new OperatorOutlet(targets, { mailer, client, logger }),
    });
  };
  let watch = newWatch();
  return {
    receiver,
    log: () => lines.join(''),
    mails: () => mailServer.mails.filter(({ to }) => to.includes(`${name}@example.com`)),
    newWatch,
    /** Another process begins in place of this one. */
    restart() {
      watch = newWatch();
    },
    async round(result: string | undefined) {
      problem = result;
      clock.advance(15_000);
      await watch.checkAll();
    },
  };
}

const textOf = ({ body }: { body: string }) => (JSON.parse(body) as { text: string }).text;

test('a problem that lasts is reported once, by mail and to the URL, and so is its end', async () => {
  const { receiver, mails, round } = await startWatch();
  await round('The disk is full');
  expect(receiver.requests).toHaveLength(0);
  for (let times = 0; times < 3; times += 1) await round('The disk is full');
  expect(receiver.requests).toHaveLength(1);
  const [mail] = mails();
  expect(mail?.headers).toMatch(/^Subject: Service unhealthy: The disk is full\r?$/m);
  expect(mail?.text).toContain('What to do: Fix it <soon>.');
  expect(receiver.requests.map(textOf)[0]).toContain('What to do: Fix it &lt;soon&gt;.');
  for (let times = 0; times < 3; times += 1) await round(undefined);
  expect(receiver.requests.map(textOf).map((text) => text.split('\n')[0])).toEqual([
    'Service unhealthy: The disk is full',
    'Service recovered: The disk is full',
  ]);
  expect(mails()).toHaveLength(2);
});

test('a problem of one moment is not reported', async () => {
  const { receiver, round } = await startWatch();
  await round('The store does not accept writes');
  await round(undefined);
  await round('The store does not accept writes');
  expect(receiver.requests).toHaveLength(0);
});

test('what could not be sent is sent again, and only there', async () => {
  const { receiver, mails, round, log } = await startWatch();
  receiver.respondWith(500);
  await round('broken');
  await round('broken');
  receiver.respondWith(200);
  await round('broken');
  await round('broken');
  expect(receiver.requests).toHaveLength(2);
  expect(mails()).toHaveLength(1);
  expect(log()).toContain('status 500');
  expect(log()).not.toContain(receiver.url);
});

test('a process that was killed is followed by one that knows what was reported', async () => {
  const { receiver, round, restart } = await startWatch();
  await round('broken');
  await round('broken');
  restart();
  await round('broken');
  await round('broken');
  expect(receiver.requests).toHaveLength(1);
  restart();
  await round(undefined);
  await round(undefined);
  expect(receiver.requests.map(textOf)[1]).toContain('Service recovered: broken');
});

test('of two processes, one reports what is the same for both', async () => {
  const { receiver, round, newWatch } = await startWatch('installation');
  const other = newWatch();
  const both = async (result: string | undefined) => {
    await round(result);
    await other.checkAll();
  };
  for (let times = 0; times < 3; times += 1) await both('broken');
  expect(receiver.requests).toHaveLength(1);
  for (let times = 0; times < 3; times += 1) await both(undefined);
  expect(receiver.requests).toHaveLength(2);
});
