/** `0.974` as `97.4 %`. */
export function toPercent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}
