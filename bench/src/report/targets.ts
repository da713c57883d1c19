import { ENGINES } from '../options.ts';
import type { Recorder } from '../recorder.ts';
import { ROWS } from '../row-names.ts';
import { createJudge, type TargetResult } from './judge.ts';

/** Holds what was recorded against what is aimed at. Targets whose rows were not measured are left out. */
export function judgeTargets(recorder: Recorder, feedRows: number): TargetResult[] {
  const { ratio, atMost } = createJudge(recorder);
  const { fastifyEcho, single, batch, bareInserts, feed } = ROWS;
  return [
    ...ratio('requestsPerSecond', single('sqlite'), { row: fastifyEcho, least: 0.6 }),
    ...ratio('requestsPerSecond', single('postgres'), { row: fastifyEcho, least: 0.45 }),
    ...ratio('eventsPerSecond', batch('sqlite'), { row: bareInserts('sqlite'), least: 0.6 }),
    ...ratio('eventsPerSecond', batch('postgres'), { row: bareInserts('postgres'), least: 0.5 }),
    ...ENGINES.flatMap((engine) => [
      ...atMost('p99Ms', single(engine), { most: 50, unit: 'ms' }),
      ...atMost('readyMs', single(engine), { most: 1500, unit: 'ms' }),
      ...atMost('peakMiB', single(engine), { most: 250, unit: 'MiB' }),
      ...atMost('peakMiB', batch(engine), { most: 250, unit: 'MiB' }),
      ...atMost('serverMs', feed(engine, 1000, 'whole'), { most: 3, unit: 'ms' }),
      ...atMost('serverMs', feed(engine, feedRows, 'start'), { most: 3, unit: 'ms' }),
      ...atMost('serverMs', feed(engine, feedRows, 'end'), { most: 3, unit: 'ms' }),
    ]),
  ];
}
