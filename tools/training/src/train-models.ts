import type { ModelLicence } from '@tps/detection';
import type { StoredModels } from '@tps/detection/training';
import { logProgress } from './command-line.ts';
import type { Row } from './rows/row.ts';
import { trainTextModel } from './text/train-text-model.ts';
import { trainUrlModel } from './url/train-url-model.ts';
import { findCutoffs, isNewest, mayLearnFrom } from './url/url-row.ts';

export interface Training {
  readonly licence: ModelLicence;
  readonly seed: number;
  readonly holdoutMonths: number;
}

/** Trains both models. The same rows in the same order, licence and seed result in the same models. */
export function trainModels(rows: readonly Row[], { licence, seed, holdoutMonths }: Training): StoredModels {
  const urlCutoffs = findCutoffs(rows, holdoutMonths);
  logProgress('  links');
  const url = trainUrlModel(rows, { licence, seed, cutoffs: urlCutoffs });
  logProgress('  texts');
  const text = trainTextModel(rows, { licence, seed, url });
  const newest = rows.reduce(
    (latest, row) =>
      row.date !== undefined &&
      row.date > latest &&
      mayLearnFrom(row.source, licence) &&
      !isNewest(row, urlCutoffs)
        ? row.date
        : latest,
    '',
  );
  return {
    name: [newest.slice(0, 7) || 'undated', licence].join('-'),
    licence,
    urlCutoffs,
    url: url.model,
    text: text.model,
    thresholds: { url: url.thresholds, text: text.thresholds },
  };
}
