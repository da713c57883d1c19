import { startCallable } from '../process-calls.ts';
import { withStore } from '../stores/bench-store.ts';
import { drain } from '../webhooks/measure-queue.ts';
import { toConcurrency } from '../webhooks/queue-shape.ts';
import { POOL_SIZE, withRestate } from './measure-ingest.ts';
import type { GraphileCalls, PeerBench } from './peer-bench.ts';
import type { PeerDelivery } from './peer-client.ts';
import { PEER_QUEUE, PEER_ROWS } from './peer-rows.ts';

/** Drains a queue of jobs of graphile-worker. */
export async function measureGraphile(bench: PeerBench): Promise<void> {
  const worker = startCallable<GraphileCalls>('../peers/graphile-worker.mjs');
  await withStore(bench.stores, 'postgres', async ({ url: databaseUrl, pid: storePid }) => {
    const deliveries = await prepareQueue(bench);
    await worker.call('fill', { databaseUrl, deliveries });
    await worker.call('startDelivering', {
      databaseUrl,
      poolSize: POOL_SIZE,
      concurrency: toConcurrency(PEER_QUEUE),
    });
    const queue = { storePid, queue: PEER_QUEUE, count: deliveries.length };
    bench.recorder.record(PEER_ROWS.graphilePush, await drain(bench, worker, queue));
  }).finally(() => worker.stop());
}

/** Drains a queue of invocations of Restate, whose handlers wait until the queue is full. */
export async function measureRestatePush(bench: PeerBench): Promise<void> {
  await withRestate(bench, async (server, origin) => {
    const deliveries = await prepareQueue(bench);
    const { connections } = bench.options;
    await bench.peerClient.call('prepareDeliveries', deliveries);
    const target = { origin, path: '/Push/deliver/send', connections, repeat: false, seconds: 60 };
    await bench.peerClient.call('send', target);
    await server.call('startDelivering');
    const queue = { storePid: undefined, queue: PEER_QUEUE, count: deliveries.length };
    bench.recorder.record(PEER_ROWS.restatePush, await drain(bench, server, queue));
  });
}

async function prepareQueue({ receivers, peerClient, options }: PeerBench): Promise<PeerDelivery[]> {
  const origins = await receivers.call('open', PEER_QUEUE.receivers);
  await receivers.call('behave', 'answer');
  return peerClient.call('createDeliveries', { count: options.deliveries, origins });
}
