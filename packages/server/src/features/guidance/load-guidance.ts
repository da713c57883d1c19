import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { GuidanceCard } from '@tps/contract';
import { cardPath, listSubjects, MAX_CARD_BYTES, parseGuidanceCard } from './guidance-card.ts';
import { GuidanceCardError } from './guidance-card-error.ts';

/** All cards in descending order of `guidance_id`, as they are listed. Deeply frozen. */
export type GuidanceLibrary = readonly GuidanceCard[];

/** The same relative path from `dist` and from `src`. */
const SHIPPED = fileURLToPath(new URL('../../../guidance', import.meta.url));

/** A folder with far more files than there are subjects does not contain cards. */
const MAX_FILES = 1_000;

/**
 * Loads all cards from their folder, one in each turn of the event loop: together they take 60 ms.
 * @throws Error that lists every problem: invalid cards, missing cards, and files that are not cards
 */
export async function loadGuidance(folder: string = SHIPPED): Promise<GuidanceLibrary> {
  const problems: string[] = [];
  const unread = new Set(listFiles(folder));
  const cards: GuidanceCard[] = [];
  for (const subject of listSubjects()) {
    const path = cardPath(subject);
    if (!unread.delete(path)) {
      problems.push(`${path}: the card is missing`);
      continue;
    }
    await nextTurn();
    try {
      const card = readCard(folder, path);
      // This check also makes subjects and ids unique.
      if (cardPath(card) !== path)
        throw new GuidanceCardError(path, `the front matter belongs to ${cardPath(card)}`);
      cards.push(card);
    } catch (error) {
      if (!(error instanceof GuidanceCardError)) throw error;
      problems.push(error.message);
    }
  }
  for (const path of unread) problems.push(`${path}: the file name does not belong to a card`);
  if (problems.length > 0) throw new Error(`The guidance cards are invalid:\n${problems.join('\n')}`);
  return deepFreeze(cards.sort((a, b) => (a.guidance_id < b.guidance_id ? 1 : -1)));
}

function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  if (entries.length > MAX_FILES) throw new Error(`${folder} contains more than ${MAX_FILES} files`);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
}

function readCard(folder: string, path: string): GuidanceCard {
  const file = join(folder, path);
  if (statSync(file).size > MAX_CARD_BYTES) {
    throw new GuidanceCardError(path, `the file is larger than ${MAX_CARD_BYTES} bytes`);
  }
  return parseGuidanceCard(path, readFileSync(file, 'utf8'));
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}
