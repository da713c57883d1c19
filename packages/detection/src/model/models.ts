import type { Calibration } from './calibration.ts';
import type { LinearModel } from './linear-model.ts';
import type { Thresholds } from './thresholds.ts';

/** A linear model whose scores were compared with what held-out data really was. */
export interface CalibratedModel {
  readonly linear: LinearModel;
  readonly calibration: Calibration;
}

/** Which sources a model learnt from: those that let it be given to everybody, or any. */
export type ModelLicence = 'redistributable' | 'any';

/** Everything that was learnt, in one file. */
export interface Models {
  /** Stands in answers: changes whenever the bytes do. */
  readonly version: string;
  readonly licence: ModelLicence;
  readonly url: CalibratedModel;
  readonly text: CalibratedModel;
  /** For each dated source of links the first month that was not learnt from, such as `2026-04`. Evaluation goes by it. */
  readonly urlCutoffs: Readonly<Record<string, string>>;
  readonly thresholds: { readonly url: Thresholds; readonly text: Thresholds };
}
