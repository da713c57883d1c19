export type { ErasedEvent } from './erased-event-store.ts';
export * as erasedEventStore from './erased-event-store.ts';
export type { EventPlace } from './event-place-store.ts';
export * as eventPlaceStore from './event-place-store.ts';
export type { RootEvent } from './event-store.ts';
export * as eventStore from './event-store.ts';
export {
  type DeviceChainState,
  digestOf,
  type EventSubject,
  type FeedEvent,
  indicatorKeyOf,
  subjectOf,
  toFeedEvent,
} from './feed-event.ts';
export type { FeedHead } from './feed-head-store.ts';
export * as feedHeadStore from './feed-head-store.ts';
export * as feedStore from './feed-store.ts';
export { filterKeysOf } from './filter-keys.ts';
export { eventHashOf, nextChainHash } from './hash-chain.ts';
export { matchesFilter } from './matches-filter.ts';
export { HIGH_SEVERITIES, isAtLeast, maxSeverity } from './severity.ts';
export type { TailEntry } from './tail-store.ts';
export * as tailStore from './tail-store.ts';
