import { open, readFile, rename, writeFile } from 'node:fs/promises';
import { createClient } from '@tps/client';

// Writes the feed into a file, one event per line. Can be killed at any moment and restarted: the position in the feed is
// saved together with the length of the file, and anything written after that is truncated and written again.
const { TPS_URL, TPS_CREDENTIAL, FEED_FILE = 'events.ndjson' } = process.env;
if (!TPS_URL || !TPS_CREDENTIAL)
  throw new Error('Set TPS_URL, and TPS_CREDENTIAL to a credential with events:read.');
const POSITION_FILE = `${FEED_FILE}.position`;

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());

const position = await readPosition();
const file = await open(FEED_FILE, 'a');
await file.truncate(position.bytes);

const client = createClient({ baseUrl: TPS_URL, credential: TPS_CREDENTIAL });
const feed = client.events.follow({
  limit: 500,
  ...(position.cursor === null ? {} : { cursor: position.cursor }),
  signal: stopping.signal,
  pollMs: 1000,
  onOutage: (error, failed) => console.error(`Failure ${failed} in a row: ${error}. Retrying.`),
});
for await (const page of feed.pages()) {
  const lines = Buffer.from(page.data.map((event) => `${JSON.stringify(event)}\n`).join(''));
  await file.appendFile(lines);
  await file.sync();
  position.bytes += lines.length;
  position.cursor = page.next_cursor;
  await savePosition();
}
await file.close();

async function readPosition(): Promise<{ bytes: number; cursor: string | null }> {
  try {
    return JSON.parse(await readFile(POSITION_FILE, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { bytes: 0, cursor: null };
    throw error;
  }
}

/** Replaces the saved position atomically. */
async function savePosition(): Promise<void> {
  await writeFile(`${POSITION_FILE}.new`, JSON.stringify(position), { flush: true });
  await rename(`${POSITION_FILE}.new`, POSITION_FILE);
}
