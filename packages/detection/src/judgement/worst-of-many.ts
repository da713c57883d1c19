/** Set by hand: what is left between many independent looks (1) and none at all. See the measurements in docs/detection.md. */
const SLOPE = 1.5;

/**
 * Weighs the worst of many looks. The models were calibrated on messages and single links; of a thousand windows of an honest
 * document, or of thirty honest links, one looks odd. So the odds fall with the number of looks beyond those that a
 * message has.
 *
 * @param usual how many looks leave the probability as it is
 */
export function worstOfMany(probability: number, { looks, usual }: { looks: number; usual: number }): number {
  if (looks <= usual || probability >= 1) return probability;
  const odds = (probability / (1 - probability)) * (usual / looks) ** SLOPE;
  return odds / (1 + odds);
}
