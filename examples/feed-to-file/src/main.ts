import { open, readFile, rename, writeFile } from 'node:fs/promises';
import { createClient } from '@tps/client';

// Follows the feed into a file, a line an event. May be killed at any moment and started again: the place in the feed is
// saved together with the length that the file had there, so what was written beyond it is cut off and written again.
const { TPS_URL, TPS_CREDENTIAL, FEED_FILE = 'events.ndjson' } = process.env;
if (!TPS_URL || !TPS_CREDENTIAL) throw new Error('Set TPS_URL, and TPS_CREDENTIAL with events:read.');
const PLACE_FILE = `${FEED_FILE}.place`;

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());

const place = await readPlace();
const file = await open(FEED_FILE, 'a');
await file.truncate(place.bytes);

const client = createClient({ baseUrl: TPS_URL, credential: TPS_CREDENTIAL });
const feed = client.events.follow({
  limit: 500,
  ...(place.cursor === null ? {} : { cursor: place.cursor }),
  signal: stopping.signal,
  pollMs: 1000,
});
for await (const page of feed.pages()) {
  const lines = Buffer.from(page.data.map((event) => `${JSON.stringify(event)}\n`).join(''));
  await file.appendFile(lines);
  await file.sync();
  place.bytes += lines.length;
  place.cursor = page.next_cursor;
  await savePlace();
}
await file.close();

async function readPlace(): Promise<{ bytes: number; cursor: string | null }> {
  try {
    return JSON.parse(await readFile(PLACE_FILE, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { bytes: 0, cursor: null };
    throw error;
  }
}

/** Puts the new place in place of the old one, wholly or not at all. */
async function savePlace(): Promise<void> {
  await writeFile(`${PLACE_FILE}.new`, JSON.stringify(place), { flush: true });
  await rename(`${PLACE_FILE}.new`, PLACE_FILE);
}
