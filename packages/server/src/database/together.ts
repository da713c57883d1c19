/**
 * Waits for statements that do not depend on each other, or for steps of several statements. On PostgreSQL they share round
 * trips. Like `Promise.all`, but rejects only when all have settled: no step continues after its transaction has ended.
 */
export async function together<Steps extends readonly unknown[]>(
  ...steps: Steps
): Promise<{ -readonly [Index in keyof Steps]: Awaited<Steps[Index]> }> {
  await Promise.allSettled(steps);
  return Promise.all(steps);
}
