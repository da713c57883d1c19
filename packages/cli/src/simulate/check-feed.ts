import type { Client } from '@tps/client';

/** How the promises of the agents compare with the feed. */
export interface FeedCheck {
  /** Promised, and there once. */
  readonly delivered: number;
  /** Promised, and not there. */
  readonly missing: readonly string[];
  /** There more than once. */
  readonly repeated: readonly string[];
}

/** Reads the feed since a time and looks for each event that was promised, once. */
export async function checkFeed(
  client: Client,
  { since, promised }: { readonly since: string; readonly promised: ReadonlyMap<string, number> },
): Promise<FeedCheck> {
  const times = new Map<string, number>();
  for await (const { event_id: id } of client.events.list({ received_since: since })) {
    if (promised.has(id)) times.set(id, (times.get(id) ?? 0) + 1);
  }
  return {
    delivered: times.size,
    missing: [...promised.keys()].filter((id) => !times.has(id)),
    repeated: [...times].flatMap(([id, count]) => (count > 1 ? [id] : [])),
  };
}
