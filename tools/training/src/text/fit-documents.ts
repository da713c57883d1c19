import { DOCUMENT_FEATURES, describeText, type LinearModel, scoreDocument } from '@tps/detection/training';
import { fitWords } from './fit-words.ts';
import { OWN_TEXTS, type TextDocument } from './text-document.ts';

const FOLDS = 5;
const NEWTON_STEPS = 12;
/**
 * All sources weigh the same in the second step, which learns from the shape of texts; otherwise short
 * messages alone would determine it.
 */
const MAX_WEIGHT = 2.5;
/**
 * The factor of the project's own texts, by far the largest source: with about twice as much, the model finds
 * two points fewer of all threats at 1 % false positives.
 */
const OWN_WEIGHT = 0.25;
/** The weight of padded threats: with less, padding reduces recall on messages by more than five points. */
const PADDED_THREAT = 8;
/** Regularizes the weights of the second step slightly. */
const RIDGE = 2;

/** A document in the second step, with the scores of a first step that did not learn from it. */
export interface DocumentExample {
  readonly document: TextDocument;
  readonly features: readonly number[];
}

/** Scores each document with words learned from the other documents. */
export function describeHeldOut(
  documents: readonly TextDocument[],
  learned: readonly TextDocument[],
  { foldOf, seed }: { foldOf: (document: TextDocument) => number; seed: number },
): DocumentExample[] {
  const examples: DocumentExample[] = [];
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const model = fitWords(
      learned.filter((document) => foldOf(document) % FOLDS !== fold),
      seed + fold,
    );
    for (const document of documents) {
      if (foldOf(document) % FOLDS === fold) examples.push(describe(document, model));
    }
  }
  return examples;
}

function describe(document: TextDocument, model: LinearModel): DocumentExample {
  return {
    document,
    features: describeText(document.text, model),
  };
}

/** Fits the weights of the features of whole texts by Newton's method: there are few features. */
export function fitDocuments(examples: readonly DocumentExample[], words: LinearModel): LinearModel {
  let weights = new Float64Array(DOCUMENT_FEATURES + 1);
  for (let step = 0; step < NEWTON_STEPS; step += 1) {
    const { gradient, curvature } = slopes(examples, weights);
    const change = solve(curvature, gradient);
    weights = weights.map((weight, at) => weight - (change[at] as number));
  }
  return {
    ...words,
    bias: weights[DOCUMENT_FEATURES] as number,
    dense: Float32Array.from(weights.subarray(0, DOCUMENT_FEATURES)),
  };
}

function slopes(
  examples: readonly DocumentExample[],
  weights: Float64Array,
): { gradient: Float64Array; curvature: Float64Array[] } {
  const size = weights.length;
  const gradient = weights.map((weight) => weight * RIDGE);
  const curvature = Array.from({ length: size }, (_, at) => new Float64Array(size).fill(RIDGE, at, at + 1));
  for (const { document, features } of examples) {
    const row = [...features, 1];
    const score = row.reduce((sum, value, at) => sum + value * (weights[at] as number), 0);
    const probability = 1 / (1 + Math.exp(-score));
    const weight = weightOf(document);
    const wrong = (probability - (document.threat ? 1 : 0)) * weight;
    const bend = Math.max(1e-4, probability * (1 - probability)) * weight;
    for (const [at, value] of row.entries()) {
      if (value === 0) continue;
      gradient[at] = (gradient[at] as number) + wrong * value;
      const line = curvature[at] as Float64Array;
      for (let other = 0; other < size; other += 1) {
        line[other] = (line[other] as number) + bend * value * (row[other] as number);
      }
    }
  }
  return { gradient, curvature };
}

function weightOf({ source, threat, weight, padded }: TextDocument): number {
  const usual = source === OWN_TEXTS ? OWN_WEIGHT * weight : Math.min(MAX_WEIGHT, weight);
  return padded && threat ? usual * PADDED_THREAT : usual;
}

/** Solves a system of linear equations by elimination; the ridge keeps the matrix well away from singular. */
function solve(matrix: readonly Float64Array[], values: Float64Array): Float64Array {
  const rows = matrix.map((line, at) => Float64Array.from([...line, values[at] as number]));
  const size = rows.length;
  for (let at = 0; at < size; at += 1) {
    const line = rows[at] as Float64Array;
    const pivot = line[at] as number;
    for (const [other, target] of rows.entries()) {
      if (other === at) continue;
      const factor = (target[at] as number) / pivot;
      for (let column = at; column <= size; column += 1) {
        target[column] = (target[column] as number) - factor * (line[column] as number);
      }
    }
  }
  return Float64Array.from(rows, (line, at) => (line[size] as number) / (line[at] as number));
}

export function scoreExample({ features }: DocumentExample, model: LinearModel): number {
  return scoreDocument(features, model);
}
