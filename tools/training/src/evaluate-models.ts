import { type Evaluation, type EvaluationOptions, joinTables } from './measure/evaluation.ts';
import { measureTimes } from './measure/measure-times.ts';
import type { Row } from './rows/row.ts';
import { evaluateTexts } from './text/evaluate-texts.ts';
import { evaluateUrls } from './url/evaluate-urls.ts';

/** Evaluates both models, each on its own kind of rows. */
export function evaluateModels(rows: readonly Row[], options: EvaluationOptions): Evaluation {
  // Measured first, because the process of a device has not classified a hundred thousand texts before.
  const microseconds = measureTimes(rows, options.models);
  return { ...joinTables([evaluateUrls(rows, options), evaluateTexts(rows, options)]), microseconds };
}
