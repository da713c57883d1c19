import { readFileSync } from 'node:fs';
import type { NewPolicy } from '@tps/contract';
import type { Scenario } from '@tps/simulator';

export interface Sample extends Scenario {
  /** The policies that agents decide by. */
  readonly policies: readonly NewPolicy[];
  /** Personal data in contents and detections. It must not reach the service. */
  readonly personal_data: readonly string[];
}

export function readSample(): Sample {
  return JSON.parse(readFileSync(new URL('../sample-events.json', import.meta.url), 'utf8'));
}
