/** A queue to drain: who gets it, and who of them hangs. */
export interface QueueShape {
  readonly receivers: number;
  /** Among whom the receivers are shared out. */
  readonly tenants: number;
  /** Every so many-th receiver never answers; undefined when all do. */
  readonly holdsEvery: number | undefined;
  /** Deliveries in it are watched for memory, so there are more of them. */
  readonly isLong: boolean;
  /** Left out of a quick run. */
  readonly isExtra: boolean;
}

/** What the service may have under way at once: to one webhook, for one tenant, in all. */
const AT_ONCE = { perWebhook: 8, perTenant: 16, inAll: 64 } as const;

/** The queues without and with receivers that hang. */
export const QUEUES = {
  deliveries: [
    { receivers: 1, tenants: 1, holdsEvery: undefined, isLong: false, isExtra: false },
    { receivers: 10, tenants: 1, holdsEvery: undefined, isLong: true, isExtra: false },
    { receivers: 100, tenants: 1, holdsEvery: undefined, isLong: false, isExtra: true },
    { receivers: 100, tenants: 10, holdsEvery: undefined, isLong: false, isExtra: false },
  ],
  hanging: [
    { receivers: 10, tenants: 1, holdsEvery: 5, isLong: false, isExtra: true },
    { receivers: 100, tenants: 1, holdsEvery: 5, isLong: false, isExtra: false },
  ],
} as const satisfies Record<string, readonly QueueShape[]>;

/** How many requests the service may have under way at once: as many has the bare loop. */
export function parallelOf({ receivers, tenants }: QueueShape): number {
  return Math.min(AT_ONCE.perWebhook * receivers, AT_ONCE.perTenant * tenants, AT_ONCE.inAll);
}

/** The receivers that answer, by their numbers. */
export function answeringOf({ receivers, holdsEvery }: QueueShape): number[] {
  const all = Array.from({ length: receivers }, (_, receiver) => receiver);
  return holdsEvery === undefined ? all : all.filter((receiver) => receiver % holdsEvery !== holdsEvery - 1);
}

/** What people call it, without the store. */
export function describeQueue({ receivers, tenants, holdsEvery }: QueueShape): string {
  const who = `${receivers} ${receivers === 1 ? 'receiver' : 'receivers'}`;
  const shared = tenants === 1 ? who : `${who} of ${tenants} tenants`;
  return holdsEvery === undefined ? shared : `${shared}, ${receivers / holdsEvery} of them hanging`;
}
