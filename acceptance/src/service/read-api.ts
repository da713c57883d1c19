/** Reads one answer of the API. @throws Error for a status other than 200 */
export async function readJson<Body>(baseUrl: string, path: string, credential: string): Promise<Body> {
  const response = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${credential}` } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`GET ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Body;
}

interface Page<Item> {
  readonly data: Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** Reads a list to its end, from a cursor or from the start. */
export async function readList<Item>(
  baseUrl: string,
  path: string,
  { credential, limit, cursor }: { credential: string; limit: number; cursor?: string | undefined },
): Promise<{ items: Item[]; cursor: string | undefined }> {
  const items: Item[] = [];
  for (let next = cursor; ; ) {
    const resume = next === undefined ? '' : `&cursor=${encodeURIComponent(next)}`;
    const page = await readJson<Page<Item>>(baseUrl, `${path}?limit=${limit}${resume}`, credential);
    items.push(...page.data);
    next = page.next_cursor ?? undefined;
    if (!page.has_more) return { items, cursor: next };
  }
}
