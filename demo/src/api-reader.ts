import { type Event, MAX_FEED_PAGE_LIMIT, MAX_PAGE_LIMIT } from '@tps/contract';

interface Page<Item> {
  readonly data: Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** Speaks to the API over HTTP with a credential, like any integrator. */
export interface ApiReader {
  get<Body>(path: string): Promise<Body>;
  post<Body>(path: string, body: object): Promise<Body>;
  /** Reads a list, newest first, until `isKnown` says that the rest has been seen. */
  listNew<Item>(path: string, isKnown: (item: Item) => boolean): Promise<Item[]>;
  /** Reads the feed from a cursor, or from its beginning, to its present end. */
  readFeed(cursor: string | undefined): Promise<{ events: Event[]; cursor: string | undefined }>;
}

export function createApiReader({ baseUrl, credential }: { baseUrl: string; credential: string }): ApiReader {
  const call = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${credential}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      signal: AbortSignal.timeout(10_000),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok)
      throw new Error(`${method} ${path} was answered with ${response.status}: ${await response.text()}`);
    return (await response.json()) as Body;
  };
  const get = <Body>(path: string) => call<Body>('GET', path);
  return {
    get,
    post: (path, body) => call('POST', path, body),
    async listNew<Item>(path: string, isKnown: (item: Item) => boolean) {
      const items: Item[] = [];
      let cursor: string | null = null;
      do {
        const page: Page<Item> = await get(`${path}?${toQuery({ limit: MAX_PAGE_LIMIT, cursor })}`);
        const fresh = page.data.filter((item) => !isKnown(item));
        items.push(...fresh);
        cursor = fresh.length === page.data.length ? page.next_cursor : null;
      } while (cursor !== null);
      return items;
    },
    async readFeed(from) {
      const events: Event[] = [];
      let cursor = from ?? null;
      let page: Page<Event>;
      do {
        page = await get(`/events?${toQuery({ limit: MAX_FEED_PAGE_LIMIT, cursor })}`);
        events.push(...page.data);
        cursor = page.next_cursor;
      } while (page.has_more);
      return { events, cursor: cursor ?? undefined };
    },
  };
}

function toQuery({ limit, cursor }: { limit: number; cursor: string | null }): string {
  return new URLSearchParams({ limit: String(limit), ...(cursor === null ? {} : { cursor }) }).toString();
}
