import type { Models } from '@tps/detection';
import type { Figures, Interval, MeasuredFigures } from './bootstrap.ts';

/** A table for the terminal and the model card. */
export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** How to read the table: which rows, which reference. */
  readonly note?: string;
}

/** Tables with the figures that they show. Figures are named like `url.newest.recall_at_1pct`; floors limit them. */
export interface TableFigures extends MeasuredFigures {
  readonly tables: readonly Table[];
}

/**
 * The quality of models on rows. The same rows and models return the same values, except for `microseconds`.
 */
export interface Evaluation extends TableFigures {
  /** The median time per item, by the kind of item. */
  readonly microseconds: Readonly<Record<string, number>>;
}

export interface EvaluationOptions {
  readonly models: Models;
  /** Includes rows that the models learned from. */
  readonly all: boolean;
}

/** The note below tables of false alarms. */
export const NO_INTERVAL =
  'No interval is given where all rows are on one side: for 0 % of n rows, it reaches to about 3/n.';

/** Joins the tables and figures of several parts. */
export function joinTables(parts: readonly TableFigures[]): TableFigures {
  return {
    tables: parts.flatMap(({ tables }) => tables),
    figures: Object.assign({}, ...parts.map(({ figures }) => figures)) as Figures,
    intervals: Object.assign({}, ...parts.map(({ intervals }) => intervals)) as Record<string, Interval>,
  };
}

/** Formats a share with its interval, such as `57.0 % (55.1–58.9)`. */
export function toPercentCell({ figures, intervals }: MeasuredFigures, name: string): string {
  const value = figures[name] ?? Number.NaN;
  const interval = intervals[name];
  if (Number.isNaN(value) || !interval) return '–';
  // Without variation there is nothing to resample.
  if (interval.low === interval.high) return toPercent(value);
  return `${toPercent(value)} (${hundredfold(interval.low)}–${hundredfold(interval.high)})`;
}

/** Formats a figure with its interval, such as `0.929 (0.925–0.933)`. */
export function toFixedCell({ figures, intervals }: MeasuredFigures, name: string): string {
  const value = figures[name] ?? Number.NaN;
  const interval = intervals[name];
  if (Number.isNaN(value) || !interval) return '–';
  return `${toFixed(value)} (${toFixed(interval.low)}–${toFixed(interval.high)})`;
}

export function toPercent(share: number): string {
  return Number.isNaN(share) ? '–' : `${hundredfold(share)} %`;
}

export function toFixed(value: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(3);
}

function hundredfold(share: number): string {
  // Without the sign of a loss that rounds to zero.
  return (100 * share).toFixed(1).replace(/^-0\.0$/, '0.0');
}
