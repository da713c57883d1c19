/** From which probability on content is warned of or blocked: where 1 % and 0.1 % of the harmless would be hit. */
export interface Thresholds {
  readonly warn: number;
  readonly block: number;
}
