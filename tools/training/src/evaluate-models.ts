import type { Evaluation, EvaluationOptions } from './measure/evaluation.ts';
import type { Row } from './rows/row.ts';
import { evaluateTexts } from './text/evaluate-texts.ts';
import { evaluateUrls } from './url/evaluate-urls.ts';

/** Evaluates both models, each on its own kind of rows. */
export function evaluateModels(rows: readonly Row[], options: EvaluationOptions): Evaluation {
  const parts = [evaluateUrls(rows, options), evaluateTexts(rows, options)];
  return {
    tables: parts.flatMap(({ tables }) => tables),
    figures: Object.assign({}, ...parts.map(({ figures }) => figures)),
    microseconds: Object.assign({}, ...parts.map(({ microseconds }) => microseconds)),
  };
}
