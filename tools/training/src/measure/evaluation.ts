import type { Models } from '@tps/detection';

/** A table as people read it, on a screen and in the model card. */
export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What one must know to read it: which rows, which reference. */
  readonly note?: string;
}

/** How a model fares on rows. The same rows and models give the same, but for `microseconds`. */
export interface Evaluation {
  readonly tables: readonly Table[];
  /** By name, such as `url.newest.recall_at_1pct`: what floors are set for. */
  readonly figures: Readonly<Record<string, number>>;
  /** Time per item, by what the item is. */
  readonly microseconds: Readonly<Record<string, number>>;
}

export interface EvaluationOptions {
  readonly models: Models;
  /** Rows that the models learnt from too. */
  readonly all: boolean;
}

export function toPercent(share: number): string {
  return Number.isNaN(share) ? '–' : `${(100 * share).toFixed(1)} %`;
}

export function toFixed(value: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(3);
}
