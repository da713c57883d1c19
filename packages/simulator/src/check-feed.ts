/** How the events of a feed compare with those that devices recorded. */
export interface FeedCheck {
  /** Recorded, and in the feed. */
  readonly delivered: number;
  /** Recorded, and not in the feed. */
  readonly missing: readonly string[];
  /** More than once in the feed. */
  readonly repeated: readonly string[];
  /** Events of the feed that were not recorded here. */
  readonly foreign: number;
}

/** Reads a feed to its end and looks for each recorded event exactly once. */
export async function checkFeed(
  feed: AsyncIterable<{ readonly event_id: string }> | Iterable<{ readonly event_id: string }>,
  recorded: { has(id: string): boolean; keys(): Iterable<string> },
): Promise<FeedCheck> {
  const times = new Map<string, number>();
  let foreign = 0;
  for await (const { event_id: id } of feed) {
    if (recorded.has(id)) times.set(id, (times.get(id) ?? 0) + 1);
    else foreign += 1;
  }
  return {
    delivered: times.size,
    missing: [...recorded.keys()].filter((id) => !times.has(id)),
    repeated: [...times].flatMap(([id, count]) => (count > 1 ? [id] : [])),
    foreign,
  };
}
