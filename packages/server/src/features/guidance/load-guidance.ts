import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GuidanceCard } from '@tps/contract';
import { cardPath, everySubject, MAX_CARD_BYTES, parseGuidanceCard } from './guidance-card.ts';
import { GuidanceCardError } from './guidance-card-error.ts';

/** All cards, by `guidance_id`, the last first: the order in which they are listed. Nothing of it can be changed. */
export type GuidanceLibrary = readonly GuidanceCard[];

/** As far above `dist` as above `src`. */
const SHIPPED = fileURLToPath(new URL('../../../guidance', import.meta.url));

/** There is a card for each subject; a folder with many times that is not one of cards. */
const MAX_FILES = 1_000;

/**
 * Reads the cards from their folder, once, at the start.
 * @throws Error that lists everything that is wrong: a card that cannot be read, is missing, or has no place
 */
export function loadGuidance(folder: string = SHIPPED): GuidanceLibrary {
  const problems: string[] = [];
  const waiting = new Set(listFiles(folder));
  const cards: GuidanceCard[] = [];
  for (const subject of everySubject()) {
    const path = cardPath(subject);
    if (!waiting.delete(path)) {
      problems.push(`${path}: the card is missing`);
      continue;
    }
    try {
      const card = readCard(folder, path);
      // With this, no two cards are of one subject and no two share an id.
      if (cardPath(card) !== path)
        throw new GuidanceCardError(path, `the front matter is that of ${cardPath(card)}`);
      cards.push(card);
    } catch (error) {
      if (!(error instanceof GuidanceCardError)) throw error;
      problems.push(error.message);
    }
  }
  for (const path of waiting) problems.push(`${path}: not the name of a card`);
  if (problems.length > 0) throw new Error(`the guidance cards are not complete:\n${problems.join('\n')}`);
  return deepFreeze(cards.sort((a, b) => (a.guidance_id < b.guidance_id ? 1 : -1)));
}

function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  if (entries.length > MAX_FILES) throw new Error(`${folder} holds more than ${MAX_FILES} files`);
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
