import type { Models, Thresholds } from './models.ts';

/**
 * Says how much a link counts in a message: one that alone would just be warned of, or blocked, just is in a message without any
 * other suspicion. What a link needs before it is warned of is far more than what words need, because one among many
 * honest links looks odd. With it, held-out honest mail of 2002 is warned of a third as often (2.9 % instead of 10.6 %), for two points less recall.
 */
export function toTextScale(probability: number, { url, text }: Models['thresholds']): number {
  const [lower, upper] = stretchOf(probability, url);
  const [from, to] = [at(lower, url), at(upper, url)];
  const share = to > from ? (probability - from) / (to - from) : 0;
  return at(lower, text) + share * (at(upper, text) - at(lower, text));
}

type Mark = 'none' | 'warn' | 'block' | 'certain';

function stretchOf(probability: number, { warn, block }: Thresholds): [Mark, Mark] {
  if (probability < warn) return ['none', 'warn'];
  return probability < block ? ['warn', 'block'] : ['block', 'certain'];
}

function at(mark: Mark, { warn, block }: Thresholds): number {
  return { none: 0, warn, block, certain: 1 }[mark];
}
