import type { AgentStorage } from '../../ports/storage.ts';
import type { JournalRecord } from '../journal/journal-record.ts';
import { Ledger } from '../journal/journal-state.ts';
import { decodeText } from '../segments/text.ts';
import { type FoundSegment, readLog } from './load-files.ts';

export interface LoadedJournal {
  readonly ledger: Ledger;
  readonly damaged: number;
}

/**
 * Reads the newest journal segment that restates everything before it. Where damage leaves none, all that can be read
 * counts, oldest first: some verdicts may be missing then, and the service sees some events twice.
 */
export async function loadJournal(
  storage: AgentStorage,
  journals: readonly FoundSegment[],
  limitBytes: number,
): Promise<LoadedJournal> {
  const pieces: { records: JournalRecord[]; damaged: number }[] = [];
  for (const found of [...journals].reverse()) {
    const { records, damaged } = await readLog(storage, found, limitBytes);
    const inOrder = [...records].sort((one, other) => one.index - other.index);
    const piece = { records: inOrder.map(({ plaintext }) => decode(plaintext)), damaged };
    if (piece.records.some(({ kind }) => kind === 'complete')) {
      return replay([piece]);
    }
    pieces.unshift(piece);
  }
  return replay(pieces);
}

function replay(pieces: readonly { records: readonly JournalRecord[]; damaged: number }[]): LoadedJournal {
  const ledger = new Ledger();
  let damaged = 0;
  for (const piece of pieces) {
    damaged += piece.damaged;
    for (const record of piece.records) {
      ledger.apply(record);
    }
  }
  return { ledger, damaged };
}

function decode(plaintext: Uint8Array): JournalRecord {
  return JSON.parse(decodeText(plaintext)) as JournalRecord;
}
