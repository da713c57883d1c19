import { decodeText } from '../../encoding/bytes.ts';
import type { AgentStorage } from '../../ports/storage.ts';
import type { JournalRecord } from '../journal/journal-record.ts';
import { JournalState } from '../journal/journal-state.ts';
import { type FoundSegment, readLog } from './load-files.ts';

export interface LoadedJournal {
  readonly journalState: JournalState;
  readonly damaged: number;
}

/**
 * Reads the newest complete journal segment, which restates everything before it. If damage leaves none, applies every
 * record that can be read, oldest first: some results may be missing then, and the service receives some events twice.
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
  const journalState = new JournalState();
  let damaged = 0;
  for (const piece of pieces) {
    damaged += piece.damaged;
    for (const record of piece.records) {
      journalState.apply(record);
    }
  }
  return { journalState, damaged };
}

function decode(plaintext: Uint8Array): JournalRecord {
  return JSON.parse(decodeText(plaintext)) as JournalRecord;
}
