/** Whether the long variants run: `npm run test:soak` and CI set TEST_SOAK. */
export const IS_SOAK = process.env.TEST_SOAK === 'true';

/** Returns how often a test repeats what it does: a few times in `npm test`, many times if TEST_SOAK is set. */
export function repetitions({ short, soak }: { short: number; soak: number }): number {
  return IS_SOAK ? soak : short;
}
