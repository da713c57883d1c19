import type { CallableProcess } from '../process-calls.ts';
import type { BenchContext } from '../run-bench.ts';
import type { ReceiverCalls } from '../webhooks/receivers.ts';
import type { PeerClientCalls, PeerDelivery, PeerDevice } from './peer-client.ts';
import type { PeerOptions } from './peer-options.ts';

/** What every measurement of a peer needs. */
export interface PeerBench extends BenchContext<PeerOptions> {
  readonly peerClient: CallableProcess<PeerClientCalls>;
  readonly receivers: CallableProcess<ReceiverCalls>;
}

/** bench/peers/parse-server.mjs. The peers are JavaScript, because their packages are not installed with the project. */
export type ParseCalls = {
  listen(options: {
    databaseUrl: string;
    port: number;
    poolSize: number;
    devices: readonly PeerDevice[];
  }): Promise<string>;
  setWork(work: 'plain' | 'verified' | 'derived'): Promise<void>;
};

/** bench/peers/restate.mjs. */
export type RestateCalls = {
  listen(options: {
    directory: string;
    ports: Readonly<Record<'ingress' | 'admin' | 'node' | 'handlers', number>>;
    devices: readonly PeerDevice[];
  }): Promise<string>;
  startDelivering(): Promise<void>;
};

/** bench/peers/graphile-worker.mjs. */
export type GraphileCalls = {
  fill(options: { databaseUrl: string; deliveries: readonly PeerDelivery[] }): Promise<void>;
  startDelivering(options: { databaseUrl: string; poolSize: number; concurrency: number }): Promise<void>;
};
