export type { HoldingRule } from './holding.ts';
export * as holdingStore from './holding-store.ts';
export { type EndHoldings, Holdings, type SignOnEnding } from './holdings.ts';
