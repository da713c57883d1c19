/** Writes a count with its noun, for people: `1 tenant`, `2 tenants`, `0 entries`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
