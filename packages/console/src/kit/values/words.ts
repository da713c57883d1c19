/** Returns a value of the API as people read it: `in_progress` becomes `In progress`. */
export function toWords(value: string): string {
  const text = value.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns a count with its noun: `1 incident`, `4,212 incidents`. */
export function toCount(count: number, noun: { readonly one: string; readonly many: string }): string {
  return `${count.toLocaleString()} ${count === 1 ? noun.one : noun.many}`;
}

/** Returns a share of one as people read it: `0.974` becomes `97 %`. */
export function toPercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
