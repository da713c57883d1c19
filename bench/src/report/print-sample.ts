import type { Sample } from '../recorder.ts';

/** Shows what a row gave as soon as it is there. */
export function printSample(row: string, sample: Sample): void {
  const figures = Object.entries(sample).map(([figure, value]) => `${figure} ${value.toFixed(2)}`);
  console.log(`  ${row}: ${figures.join(', ')}`);
}
