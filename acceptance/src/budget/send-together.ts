import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SendOrder, SendReport } from './request-sender.ts';

/** A thread that sends requests. Measured is the other thread, in which the service runs. */
export interface Sender {
  send(order: SendOrder): Promise<SendReport>;
  close(): Promise<unknown>;
}

export function startSender(): Sender {
  const worker = new Worker(new URL('./request-sender.ts', import.meta.url));
  return {
    async send(order) {
      worker.postMessage(order);
      const [report] = await once(worker, 'message');
      return report as SendReport;
    },
    close: () => worker.terminate(),
  };
}
