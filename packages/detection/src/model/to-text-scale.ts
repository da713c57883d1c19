import type { Models, Thresholds } from './models.ts';

/**
 * Converts the probability of a link to the scale of texts: a link at a threshold of links is at the same
 * threshold of texts. Links have far higher thresholds, because one among many benign links looks suspicious
 * by chance. With this scale a third as much held-out benign mail of 2002 is warned of (2.9 % instead of 10.6
 * %), for two points less recall.
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
