import { randomBytes } from 'node:crypto';
import type { LoadClientCalls } from '../load/load-client.ts';
import { startCallable } from '../process-calls.ts';
import { measureSingles, type RequestBench } from '../requests/measure-requests.ts';
import { createPart, repeatRounds, runBench } from '../run-bench.ts';
import { measureQueue } from '../webhooks/measure-queue.ts';
import type { ReceiverCalls } from '../webhooks/receivers.ts';
import type { WebhookBench } from '../webhooks/webhook-bench.ts';
import { installPeers, readPeerVersions } from './install-peers.ts';
import { measureGraphile, measureRestatePush } from './measure-deliveries.ts';
import { measureParse, measureRestate, POOL_SIZE } from './measure-ingest.ts';
import type { PeerClientCalls } from './peer-client.ts';
import { PEER_OPTIONS, type PeerOptions } from './peer-options.ts';
import { judgePeers, PEER_QUEUE, toPeerRecorder, toPeerTable } from './peer-rows.ts';

const HELP = `Measures the service beside other servers that do similar work. Installs them in bench/peers first (about 400 MB,
only the first time).

  npm run bench:peers                  everything: about 12 minutes
  npm run bench:peers -- --quick       1 round of 1 s per row, shorter queues: about 2 minutes
  npm run bench:peers -- --only parse  only some groups of rows
  npm run bench:peers -- --write       also updates its part of docs/performance.md`;

/** Not a part of `npm run bench`, which installs nothing. */
const PEER_PART = createPart({
  table: PEER_OPTIONS,
  async measure(context) {
    installPeers();
    const { options, atEnd } = context;
    const client = startCallable<LoadClientCalls>('./load/load-client.ts');
    atEnd(() => client.stop());
    const peerClient = startCallable<PeerClientCalls>('./peers/peer-client.ts');
    atEnd(() => peerClient.stop());
    const receivers = startCallable<ReceiverCalls>('./webhooks/receivers.ts');
    atEnd(() => receivers.stop());

    const bench = { ...context, peerClient, receivers };
    // The service is measured by its own benchmarks, with the options of this one.
    const ownOptions = { ...options, groups: [], engines: [] };
    const own = { ...context, client, recorder: toPeerRecorder(context.recorder) };
    const requests: RequestBench = { ...own, options: { ...ownOptions, feedRows: 1 } };
    const webhooks: WebhookBench = {
      ...own,
      receivers,
      masterKey: randomBytes(32).toString('base64'),
      options: { ...ownOptions, manyDeliveries: options.deliveries, latencySeconds: 1 },
    };
    await repeatRounds(options.repeats, async () => {
      if (options.groups.includes('parse')) {
        await measureSingles(requests, 'postgres');
        await measureParse(bench);
      }
      if (options.groups.includes('restate')) {
        await measureSingles(requests, 'sqlite');
        await measureRestate(bench);
      }
      if (options.groups.includes('deliveries')) {
        await measureQueue(webhooks, 'postgres', PEER_QUEUE);
        await measureGraphile(bench);
        await measureQueue(webhooks, 'sqlite', PEER_QUEUE);
        await measureRestatePush(bench);
      }
    });
  },
  judge: judgePeers,
  toTable: (recorder) => toPeerTable(recorder, readPeerVersions()),
  page: { part: 'peers', subject: 'peers', command: 'npm run bench:peers', explain },
});

await runBench(HELP, [PEER_PART]);

function explain({ repeats, seconds, warmUp, connections, deliveries }: PeerOptions) {
  const rounds = repeats === 1 ? 'one round' : `the median of ${repeats} rounds`;
  return {
    summary: `Other servers that can take in signed events or deliver webhooks, with the same events, on the same machine.
      Every figure is ${rounds}; windows of requests last ${seconds} s, after a warm-up of ${warmUp} s. Client, server and store share
      the cores. "service / it" is the rate of the service divided by that of the row. Parse Server and graphile-worker are
      compared with the service on PostgreSQL, Restate is compared with the service on SQLite.`,
    method: [
      `All receive the same events over ${connections} connections, signed with RSA-2048 keys, and verify with the code
        of the service (\`@tps/signatures\`). The peers keep keys in memory; the service reads the device in each
        transaction.`,
      `The service also does what the peers do not: it checks a token, refuses replayed nonces, validates and redacts
        the event, and extends two hash chains. Positions in its feed have no gaps.`,
      `Parse Server: one process, a pool of ${POOL_SIZE} connections as the service has, \`directAccess\`, logging off,
        any client may create events. \`beforeSave\` verifies the signature, and saves an alert and a threat with one
        \`saveAll\`. The three rows are committed separately.`,
      `Restate: one server with a partition per core, and one process with the handlers. The id of the event is
        the idempotency key. A call is answered after the handler has verified the signature. \`/send\` is answered
        before that, so a request with a wrong signature receives 202 as well. Nothing is derived.`,
      `PostgreSQL has the same settings for all: \`fsync\` and \`synchronous_commit\` on. Restate flushes its log
        (\`rocksdb-disable-wal-fsync = false\`, the default).`,
      `Deliveries: ${deliveries.toLocaleString('en')} wait before the first is sent, for ten receivers. All senders sign
        with HMAC-SHA256, post with undici over at most 8 connections per receiver, and retry with exponential backoff.
        The service reads the event, limits its concurrency per webhook and tenant, checks the address of the receiver
        and keeps the result of each attempt. graphile-worker removes a job when it is done: 64 concurrent jobs, a local queue of 500,
        completions in batches, a pool of ${POOL_SIZE} connections. Restate: a handler with one \`run\` step, up to 1,000
        at a time.`,
    ],
  };
}
