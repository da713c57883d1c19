/**
 * Waits for statements, or for steps of several statements, that do not depend on each other: PostgreSQL answers them in one
 * round trip. Like `Promise.all`, but rejects when all have settled, so that no step continues after its transaction has ended.
 */
export async function together<Steps extends readonly unknown[]>(
  ...steps: Steps
): Promise<{ -readonly [Index in keyof Steps]: Awaited<Steps[Index]> }> {
  await Promise.allSettled(steps);
  return Promise.all(steps);
}
