import type { Models } from '@tps/detection';

/** A table for the terminal and the model card. */
export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** How to read the table: which rows, which reference. */
  readonly note?: string;
}

/**
 * The quality of models on rows. The same rows and models return the same values, except for `microseconds`.
 */
export interface Evaluation {
  readonly tables: readonly Table[];
  /** By name, such as `url.newest.recall_at_1pct`. Floors limit these figures. */
  readonly figures: Readonly<Record<string, number>>;
  /** The time per item, by the kind of item. */
  readonly microseconds: Readonly<Record<string, number>>;
}

export interface EvaluationOptions {
  readonly models: Models;
  /** Includes rows that the models learned from. */
  readonly all: boolean;
}

export function toPercent(share: number): string {
  return Number.isNaN(share) ? '–' : `${(100 * share).toFixed(1)} %`;
}

export function toFixed(value: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(3);
}
