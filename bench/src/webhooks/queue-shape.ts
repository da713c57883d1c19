/** A queue to drain: its receivers, and how many of them hang. */
export interface QueueShape {
  readonly receivers: number;
  /** The receivers are divided among these. */
  readonly tenants: number;
  /** Every n-th receiver never answers; undefined when all answer. */
  readonly holdsEvery: number | undefined;
  /** Has more deliveries, because memory is measured. */
  readonly isLong: boolean;
  /** Counts all deliveries. Otherwise the first fifth is the warm-up. */
  readonly isCountedWhole: boolean;
  /** Left out of a quick run. */
  readonly isExtra: boolean;
}

/** The concurrency limits of the service for receivers that respond: per webhook, per tenant, in total. */
const CONCURRENCY = { perWebhook: 8, perTenant: 64, total: 256 } as const;

/** The queues without hanging receivers; one with them, and one that has only its other receivers. */
export const QUEUES = {
  deliveries: [
    { receivers: 1, tenants: 1, holdsEvery: undefined, isLong: false, isCountedWhole: false, isExtra: false },
    { receivers: 10, tenants: 1, holdsEvery: undefined, isLong: true, isCountedWhole: false, isExtra: false },
    {
      receivers: 100,
      tenants: 1,
      holdsEvery: undefined,
      isLong: false,
      isCountedWhole: false,
      isExtra: true,
    },
    {
      receivers: 100,
      tenants: 10,
      holdsEvery: undefined,
      isLong: false,
      isCountedWhole: false,
      isExtra: false,
    },
  ],
  hanging: [
    { receivers: 100, tenants: 1, holdsEvery: 5, isLong: false, isCountedWhole: true, isExtra: false },
    { receivers: 80, tenants: 1, holdsEvery: undefined, isLong: false, isCountedWhole: true, isExtra: false },
  ],
} as const satisfies Record<string, readonly QueueShape[]>;

/** The number of concurrent requests of the service. The bare loop has as many. */
export function toConcurrency({ receivers, tenants }: QueueShape): number {
  return Math.min(CONCURRENCY.perWebhook * receivers, CONCURRENCY.perTenant * tenants, CONCURRENCY.total);
}

/** The numbers of the receivers that answer. */
export function findAnswering({ receivers, holdsEvery }: QueueShape): number[] {
  const all = Array.from({ length: receivers }, (_, receiver) => receiver);
  return holdsEvery === undefined ? all : all.filter((receiver) => receiver % holdsEvery !== holdsEvery - 1);
}

/** Describes a queue, without the store. */
export function describeQueue({ receivers, tenants, holdsEvery }: QueueShape): string {
  const all = `${receivers} ${receivers === 1 ? 'receiver' : 'receivers'}`;
  const shared = tenants === 1 ? all : `${all} of ${tenants} tenants`;
  return holdsEvery === undefined ? shared : `${shared}, ${receivers / holdsEvery} of them hanging`;
}
