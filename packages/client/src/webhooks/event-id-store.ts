/**
 * Remembers which events were handled, so that each is handled once although it may be delivered several times.
 *
 * An event is claimed before it is handled. When the handler succeeds the claim is confirmed: from then on the event is
 * `handled`. When it fails the claim is released, and the next attempt may claim again: an event is never lost because
 * somebody began with it. Handling and confirming are two steps, so a process that dies between them handles the event
 * again; only a handler that stores the id in the transaction of its own effect rules that out.
 */
export interface EventIdStore {
  /**
   * Takes an event exclusively. Of any number of callers with the same key, in this process or another one that shares
   * the store, one gets `claimed`. The claim of a process that died must run out by itself.
   */
  claim(key: string): Promise<EventIdClaim>;
}

export type EventIdClaim =
  | {
      readonly status: 'claimed';
      /** Remembers the event as handled. */
      confirm(): Promise<void>;
      /** Gives the event back. Does nothing when the claim has run out and somebody else holds one. */
      release(): Promise<void>;
    }
  /** Handled before: answer with success. */
  | { readonly status: 'handled' }
  /**
   * Somebody is handling it now, or there is no room for another claim: have it sent again. Success would be a lie,
   * since that handler may still fail.
   */
  | { readonly status: 'busy' };
