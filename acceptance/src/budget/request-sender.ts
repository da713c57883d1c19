/** The code of a worker thread that sends requests, so that the thread of the service does nothing but serve. */
import { parentPort } from 'node:worker_threads';
import { sendRaw } from '../scan/raw-post.ts';

/** What the thread sends: all requests at once, and meanwhile the other tenant's request again and again. */
export interface SendOrder {
  readonly baseUrl: string;
  readonly requests: readonly Uint8Array[];
  readonly bystander: Uint8Array;
}

export interface SendReport {
  /** The statuses of the answers and their numbers; 0 for a connection that closed without an answer. */
  readonly statuses: Readonly<Record<number, number>>;
}

parentPort?.on('message', (order: SendOrder) => {
  void send(order).then((report) => parentPort?.postMessage(report));
});

async function send({ baseUrl, requests, bystander }: SendOrder): Promise<SendReport> {
  let isOver = false;
  const watch = watchBystander();
  const statuses: Record<number, number> = {};
  await Promise.all(
    requests.map(async (request) => {
      const status = await statusOf(request);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }),
  );
  isOver = true;
  await watch;
  return { statuses };

  async function watchBystander(): Promise<void> {
    while (!isOver) {
      if ((await statusOf(bystander)) !== 200) throw new Error('the other tenant was not served');
    }
  }

  async function statusOf(request: Uint8Array): Promise<number> {
    const { status } = await sendRaw(
      baseUrl,
      Buffer.from(request.buffer, request.byteOffset, request.length),
    );
    return Number.isNaN(status) ? 0 : status;
  }
}
