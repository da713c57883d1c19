import type { Recorder } from '../recorder.ts';
import { createJudge, type TargetResult } from '../report/judge.ts';
import { AGENT_ROWS, RECORDERS } from './agent-rows.ts';

/** Holds what was recorded against what is aimed at. Targets whose rows were not measured are left out. */
export function judgeAgentTargets(recorder: Recorder): TargetResult[] {
  const { ratio } = createJudge(recorder);
  const base = { row: AGENT_ROWS.append('always'), least: 0.5 };
  return RECORDERS.flatMap((recorders) =>
    ratio('eventsPerSecond', AGENT_ROWS.record('always', recorders), base),
  );
}
