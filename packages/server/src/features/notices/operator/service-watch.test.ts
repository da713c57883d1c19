import { useMailServer } from '@tps/testing/mail';
import { useReceivers } from '@tps/testing/receiver';
import { useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { afterAll, expect, test } from 'vitest';
import type { Database } from '../../../database/index.ts';
import { Secret } from '../../../platform/crypto/secret.ts';
import { createLogger } from '../../../platform/logger.ts';
import { Mailer } from '../../../platform/mail/mailer.ts';
import { OutboundClient } from '../../../platform/outbound/outbound-client.ts';
import { OperatorOutlet } from './operator-outlet.ts';
import type { Finding } from './service-check.ts';
import { ServiceWatch } from './service-watch.ts';

const receive = useReceivers();
const mailServer = useMailServer();
const store = useTestDatabase();
const client = new OutboundClient({ allowInsecureTargets: true });
afterAll(() => client.close());
let checks = 0;

const critical = (problem: string): Finding => ({ level: 'critical', problem });
const warning = (problem: string): Finding => ({ level: 'warning', problem });

/** Watches of one check, one per process, whose results the test decides. */
async function startWatch() {
  const receiver = await receive();
  checks += 1;
  const name = `check-${checks}`;
  const clock = new ManualClock();
  const lines: string[] = [];
  const logger = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  const mailer = new Mailer({ server: { url: new Secret(mailServer.url), from: 'tps@example.com' }, logger });
  const targets = { url: new Secret(receiver.url), mailTo: `${name}@example.com` };
  let isDown = false;
  const whenUp = <Result>(work: () => Promise<Result>) =>
    isDown ? Promise.reject(new Error('the store is down')) : work();
  const { database } = store;
  const unreliable: Database = Object.create(database, {
    transaction: {
      value: (...args: Parameters<Database['transaction']>) => whenUp(() => database.transaction(...args)),
    },
  });
  /** Starts a process. The result is that of its next round. */
  const startProcess = () => {
    let result: Finding | undefined;
    const watch = new ServiceWatch({
      ...{ database: unreliable, clock, logger, baseUrl: 'https://tps.example.com' },
      checks: [{ name, levelWhenLate: null, whatToDo: 'Fix it <soon>.', findProblem: () => result }],
      outlet: new OperatorOutlet(targets, { mailer, client, logger, clock }),
    });
    return (next: Finding | undefined) => {
      result = next;
      return watch.checkAll();
    };
  };
  return {
    receiver,
    startProcess,
    log: () => lines.join(''),
    mails: () => mailServer.mails.filter(({ to }) => to.includes(`${name}@example.com`)),
    subjects: () => receiver.requests.map((request) => textOf(request).split('\n')[0]),
    setDown(down: boolean) {
      isDown = down;
    },
    /** Rounds of processes with these results, 15 seconds apart. */
    async rounds(times: number, ...results: [ReturnType<typeof startProcess>, Finding | undefined][]) {
      for (let round = 0; round < times; round += 1) {
        clock.advance(15_000);
        for (const [look, result] of results) await look(result);
      }
    },
  };
}

const textOf = ({ body }: { body: string }) => (JSON.parse(body) as { text: string }).text;
/** 90 seconds and the round that sees them pass. */
const LONG = 7;

test('a problem that lasts is reported once, by mail and to the URL, and so is its end', async () => {
  const { receiver, mails, rounds, startProcess, subjects } = await startWatch();
  const one = startProcess();
  await rounds(1, [one, critical('The disk is full')]);
  expect(receiver.requests).toHaveLength(0);
  await rounds(LONG, [one, critical('The disk is full')]);
  expect(receiver.requests).toHaveLength(1);
  const [mail] = mails();
  expect(mail?.headers).toMatch(/^Subject: \[critical\] Service unhealthy: The disk is full\r?$/m);
  expect(mail?.text).toContain('What to do: Fix it <soon>.');
  expect(receiver.requests.map(textOf)[0]).toContain('What to do: Fix it &lt;soon&gt;.');
  await rounds(LONG, [one, undefined]);
  expect(subjects()).toEqual([
    '[critical] Service unhealthy: The disk is full',
    'Service recovered: The disk is full',
  ]);
  expect(mails()).toHaveLength(2);
});

test('a problem of one moment is not reported', async () => {
  const { receiver, rounds, startProcess } = await startWatch();
  const one = startProcess();
  await rounds(1, [one, critical('The store does not accept writes')]);
  await rounds(1, [one, undefined]);
  await rounds(1, [one, critical('The store does not accept writes')]);
  expect(receiver.requests).toHaveLength(0);
});

test('a change of the level is reported: a rise at once, a fall when it lasts', async () => {
  const { rounds, startProcess, subjects } = await startWatch();
  const one = startProcess();
  await rounds(2, [one, warning('It expires soon')]);
  await rounds(1, [one, critical('It has expired')]);
  expect(subjects()).toEqual(['[warning] Service unhealthy: It expires soon']);
  await rounds(1, [one, critical('It has expired')]);
  expect(subjects().slice(1)).toEqual(['[critical] Service unhealthy, more severe: It has expired']);
  await rounds(3, [one, warning('It expires soon')]);
  expect(subjects()).toHaveLength(2);
  await rounds(LONG, [one, warning('It expires soon')]);
  await rounds(LONG, [one, undefined]);
  expect(subjects().slice(2)).toEqual([
    '[warning] Service unhealthy, less severe: It expires soon',
    'Service recovered: It expires soon',
  ]);
});

test('what could not be sent is sent again after a pause, and only there', async () => {
  const { receiver, mails, rounds, startProcess, log } = await startWatch();
  const [one, other] = [startProcess(), startProcess()];
  receiver.respondWith(500);
  const both = (times: number) => rounds(times, [one, critical('broken')], [other, critical('broken')]);
  await both(5);
  // Pauses of 15, 30 and 60 seconds.
  expect(receiver.requests).toHaveLength(3);
  receiver.respondWith(200);
  await both(8);
  expect(receiver.requests).toHaveLength(4);
  expect(mails()).toHaveLength(1);
  expect(log()).toContain('status 500');
  expect(log()).not.toContain(receiver.url);
});

test('what ended before it could be sent is reported in order', async () => {
  const { receiver, rounds, startProcess, subjects } = await startWatch();
  const one = startProcess();
  receiver.respondWith(500);
  await rounds(2, [one, critical('broken')]);
  await rounds(LONG, [one, undefined]);
  receiver.respondWith(200);
  const failed = receiver.requests.length;
  await rounds(20, [one, undefined]);
  expect(subjects().slice(failed)).toEqual([
    '[critical] Service unhealthy: broken',
    'Service recovered: broken',
  ]);
});

test('a process that was killed is followed by one that knows what was reported', async () => {
  const { receiver, rounds, startProcess, subjects } = await startWatch();
  await rounds(2, [startProcess(), critical('broken')]);
  await rounds(3, [startProcess(), critical('broken')]);
  expect(receiver.requests).toHaveLength(1);
  await rounds(LONG, [startProcess(), undefined]);
  expect(subjects().slice(1)).toEqual(['Service recovered: broken']);
});

test('of several processes, one reports what all of them find', async () => {
  const { rounds, startProcess, subjects } = await startWatch();
  const processes = [startProcess(), startProcess(), startProcess()];
  const all = (times: number, result: Finding | undefined) =>
    rounds(times, ...processes.map((look): [typeof look, typeof result] => [look, result]));
  await all(4, critical('broken'));
  expect(subjects()).toEqual(['[critical] Service unhealthy: broken']);
  await all(LONG, undefined);
  expect(subjects()).toHaveLength(2);
});

test('processes that find the same at the same moment send one message', async () => {
  const { rounds, startProcess, subjects } = await startWatch();
  const processes = [startProcess(), startProcess(), startProcess(), startProcess()];
  const together = async (result: Finding | undefined) => {
    await Promise.all(processes.map((look) => look(result)));
  };
  await rounds(2, [together, critical('broken')]);
  expect(subjects()).toEqual(['[critical] Service unhealthy: broken']);
});

test('processes that differ do not report in turns', async () => {
  const { rounds, startProcess, subjects } = await startWatch();
  const [one, other, third] = [startProcess(), startProcess(), startProcess()];
  await rounds(20, [one, critical('dead')], [other, undefined], [third, warning('slow')]);
  expect(subjects()).toEqual(['[critical] Service unhealthy: dead']);
  // The process that fails is gone for good, under a name that does not return.
  await rounds(20, [other, undefined], [third, warning('slow')]);
  expect(subjects().slice(1)).toEqual(['[warning] Service unhealthy, less severe: slow']);
  await rounds(20, [other, undefined], [third, undefined]);
  expect(subjects().slice(2)).toEqual(['Service recovered: slow']);
});

test('while the store is down, problems are reported, and their ends afterwards, once', async () => {
  const { rounds, startProcess, subjects, setDown } = await startWatch();
  const [one, other] = [startProcess(), startProcess()];
  setDown(true);
  await rounds(LONG, [one, critical('The store is down')]);
  await rounds(LONG, [one, undefined], [other, undefined]);
  expect(subjects()).toEqual(['[critical] Service unhealthy: The store is down']);
  setDown(false);
  await rounds(LONG, [one, undefined], [other, undefined]);
  expect(subjects().slice(1)).toEqual(['Service recovered: The store is down']);
});
