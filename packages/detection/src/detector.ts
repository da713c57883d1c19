import type { Inspection } from './analysis/analysis.ts';
import { inspectPlain } from './analysis/analyze-content.ts';
import type { PlainContent } from './content.ts';
import type { IndicatorKey, IndicatorMatch } from './indicators/indicator.ts';
import { modelFor } from './model/model-context.ts';
import type { Models } from './model/models.ts';
import type { Judgement } from './verdict/classification.ts';
import { conclude } from './verdict/classify.ts';

/** Where indicators are looked up: the store in memory is one. */
export interface IndicatorLookup {
  find(keys: readonly IndicatorKey[], nowMs: number): readonly IndicatorMatch[];
}

export interface DetectorOptions {
  /** Without them indicators decide, and what else needs no model; the rest is unsupported. */
  readonly models: Models | undefined;
  /** Asked anew for each judgement, so that it can be exchanged. Without it no indicator is known. */
  readonly indicators?: () => IndicatorLookup | undefined;
  readonly nowMs?: () => number;
}

/** Judges content on a device, by the same models and rules as the service. */
export interface Detector {
  judge(content: PlainContent): Judgement;
  /** Judges what was inspected elsewhere, such as a file by `inspectBytes` of `@tps/detection/files`. */
  conclude(inspection: Inspection): Judgement;
}

export function createDetector({ models, indicators, nowMs = Date.now }: DetectorOptions): Detector {
  const weigh = (inspection: Inspection) =>
    conclude(inspection, {
      matches: indicators?.()?.find(inspection.keys, nowMs()) ?? [],
      model: modelFor(inspection.type, models),
    });
  return {
    judge: (content) => weigh(inspectPlain(content, models)),
    conclude: weigh,
  };
}
