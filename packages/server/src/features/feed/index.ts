export type { RootEvent } from './event-store.ts';
export * as eventStore from './event-store.ts';
export {
  type Decision,
  type DeviceChainState,
  digestOf,
  indicatorKeyOf,
  toDecision,
} from './feed-event.ts';
export type { FeedHead } from './feed-head-store.ts';
export * as feedHeadStore from './feed-head-store.ts';
export * as feedStore from './feed-store.ts';
export { eventHashOf, nextChainHash } from './hash-chain.ts';
export { GRAVE, graver, isAtLeast } from './severity.ts';
