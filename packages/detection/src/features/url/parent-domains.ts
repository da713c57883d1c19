/** Returns a host and the domains above it, the longest first, without its last label alone: `a.b.c`, `b.c`. */
export function* withParentDomains(host: string): Generator<string> {
  for (let at = host; at.includes('.'); at = at.slice(at.indexOf('.') + 1)) yield at;
}
