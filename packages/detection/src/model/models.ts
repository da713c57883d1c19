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
  readonly thresholds: { readonly url: Thresholds; readonly text: Thresholds };
}
