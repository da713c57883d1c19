export {
  type Decision,
  type DeviceChainState,
  digestOf,
  indicatorKeyOf,
  toDecision,
} from './decision.ts';
export { eventRoutes } from './event-routes.ts';
export type { RootEvent } from './event-store.ts';
export * as eventStore from './event-store.ts';
export { eventHashOf, nextChainHash } from './feed-chain.ts';
export type { FeedHead } from './feed-head-store.ts';
export * as feedHeadStore from './feed-head-store.ts';
export * as feedStore from './feed-store.ts';
export { GRAVE, graver, isAtLeast } from './severity.ts';
