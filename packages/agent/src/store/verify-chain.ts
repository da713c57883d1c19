import type { DeviceKeys } from '../ports/keys.ts';
import type { ChainReport } from './event-store.ts';
import { covers } from './journal/number-ranges.ts';
import { readRecords } from './read-records.ts';
import type { UnlockedStore } from './unlocked-store.ts';

/**
 * Checks that each stored record names the one recorded before it, from the oldest to the newest. If records between two
 * are missing, the journal must contain their deletion.
 */
export async function verifyChain(
  store: UnlockedStore,
  keys: Pick<DeviceKeys, 'sha256Hex'>,
): Promise<ChainReport> {
  const breaks: ChainReport['breaks'][number][] = [];
  let records = 0;
  let before: { number: number; hash: string } | undefined;
  for await (const { content, text } of readRecords(store)) {
    records += 1;
    if (before !== undefined && content.previous_event_hash !== before.hash) {
      const [first, last] = [before.number + 1, content.number - 1];
      if (first > last || !covers(store.journalState.gone, first, last)) {
        breaks.push({ after: before.number, before: content.number });
      }
    }
    before = { number: content.number, hash: keys.sha256Hex(text) };
  }
  return { records, breaks };
}
