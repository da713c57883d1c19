import type { Calibration } from './calibration.ts';
import type { LinearModel } from './linear-model.ts';

/** A linear model whose scores were compared with what held-out data really was. */
export interface CalibratedModel {
  readonly linear: LinearModel;
  readonly calibration: Calibration;
}

/** From which probability on content is warned of or blocked: where 1 % and 0.1 % of the harmless would be hit. */
export interface Thresholds {
  readonly warn: number;
  readonly block: number;
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
