import type { Calibration } from '@tps/detection/training';
import type { ScoredRow } from '../measure/metrics.ts';

interface Block {
  /** Weighted sum of the scores. */
  score: number;
  threats: number;
  weight: number;
}

/** Probabilities stay away from 0 and 1: learned values are never certain. */
const MIN_PROBABILITY = 0.0005;

/**
 * Fits probabilities to scores by isotonic regression (pool adjacent violators) over at most `bins` groups of
 * equal weight.
 */
export function fitCalibration(scored: readonly ScoredRow[], bins = 40): Calibration {
  const blocks = pool(toBins(scored, bins));
  const points = blocks.map(({ score, threats, weight }) => ({
    score: score / weight,
    probability: Math.min(1 - MIN_PROBABILITY, Math.max(MIN_PROBABILITY, threats / weight)),
  }));
  return {
    scores: Float32Array.from(points, ({ score }) => score),
    probabilities: Float32Array.from(points, ({ probability }) => probability),
  };
}

function toBins(scored: readonly ScoredRow[], bins: number): Block[] {
  const sorted = [...scored].sort((one, other) => one.score - other.score);
  const total = sorted.reduce((sum, { weight = 1 }) => sum + weight, 0);
  const blocks: Block[] = [];
  let seen = 0;
  for (const { score, threat, weight = 1 } of sorted) {
    const bin = Math.min(bins - 1, Math.floor((seen / total) * bins));
    const block = blocks[blocks.length - 1];
    if (block && bin < blocks.length) {
      block.score += score * weight;
      block.threats += threat ? weight : 0;
      block.weight += weight;
    } else blocks.push({ score: score * weight, threats: threat ? weight : 0, weight });
    seen += weight;
  }
  return blocks;
}

function pool(blocks: readonly Block[]): Block[] {
  const pooled: Block[] = [];
  for (const block of blocks) {
    let next = { ...block };
    for (
      let last = pooled.at(-1);
      last && last.threats / last.weight >= next.threats / next.weight;
      last = pooled.at(-1)
    ) {
      pooled.pop();
      next = {
        score: last.score + next.score,
        threats: last.threats + next.threats,
        weight: last.weight + next.weight,
      };
    }
    pooled.push(next);
  }
  return pooled;
}
