/** The number of words on either side that count as near. */
const REACH = 20;
/** Links, numbers to call or text (short codes too), and money: what a reader could act on, or lose. */
const SIGNS: Readonly<Record<string, number>> = { '<link>': 1, '<phone>': 2, '<5>': 2, '<money>': 4 };

/**
 * Returns for each word which signs are near it, as a sum: 1 for a link, 2 for a number to call or text, 4
 * for money. Words such as "your account" have another meaning beside a link. Only nearby signs count, so
 * that padding changes nothing.
 */
export function findNearbySigns(words: readonly string[]): Uint8Array {
  const near = new Uint8Array(words.length);
  for (const [at, word] of words.entries()) {
    const sign = word.charCodeAt(0) === 0x3c ? SIGNS[word] : undefined;
    if (sign !== undefined) markAround(near, at, sign);
  }
  return near;
}

function markAround(near: Uint8Array, at: number, sign: number): void {
  const end = Math.min(near.length, at + REACH + 1);
  for (let each = Math.max(0, at - REACH); each < end; each += 1) near[each] = (near[each] as number) | sign;
}
