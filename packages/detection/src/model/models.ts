import type { Calibration } from './calibration.ts';
import type { LinearModel } from './linear-model.ts';

/** A linear model whose scores were calibrated on held-out data. */
export interface CalibratedModel {
  readonly linear: LinearModel;
  readonly calibration: Calibration;
}

/**
 * The probabilities from which content is warned of or blocked: at most 1 % and 0.1 % of the benign content that
 * people received reach them.
 */
export interface Thresholds {
  readonly warn: number;
  readonly block: number;
}

/** The sources that a model learned from: only those whose licence allows redistribution, or any. */
export type ModelLicence = 'redistributable' | 'any';

/** All that was learned, in one file. */
export interface Models {
  /** Part of responses: changes with the bytes. */
  readonly version: string;
  readonly licence: ModelLicence;
  readonly url: CalibratedModel;
  readonly text: CalibratedModel;
  /**
   * For each dated source of links the first month that was not learned from, such as `2026-04`. The
   * evaluation depends on it.
   */
  readonly urlCutoffs: Readonly<Record<string, string>>;
  readonly thresholds: { readonly url: Thresholds; readonly text: Thresholds };
}
