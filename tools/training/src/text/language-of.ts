import { normalizeText } from '@tps/detection';
import { FUNCTION_WORDS } from '@tps/detection/training';

/** Returns the language with the most function words in a text; `other` with fewer than two. */
export function languageOf(content: string): string {
  const words = normalizeText(content).text.match(/\p{L}+/gu) ?? [];
  const counts = Object.entries(FUNCTION_WORDS).map(([language, known]) => {
    const set = new Set(known);
    return { language, count: words.filter((word) => word.length > 1 && set.has(word)).length };
  });
  counts.sort((one, other) => other.count - one.count);
  const [first] = counts;
  return first && first.count >= 2 ? first.language : 'other';
}
