/**
 * Stores which events were handled, so that each is handled once although it may be delivered several times.
 *
 * An event is claimed before it is handled. When the handler succeeds, the claim is confirmed: from then on the event is
 * `handled`. When it fails, the claim is released, and the next attempt can claim it again, so that an event is never lost
 * by a failed handler. Handling and confirming are two steps: a process that ends between them handles the event again.
 * Only a handler that stores the id in the same transaction as its effect prevents that.
 */
export interface EventIdStore {
  /**
   * Claims an event exclusively. Of any number of callers with the same key, in this process or another one that shares
   * the store, one gets `claimed`. The claim of a process that has ended must expire.
   */
  claim(key: string): Promise<EventIdClaim>;
}

/** The result of claiming an event. */
export type EventIdClaim =
  | {
      readonly status: 'claimed';
      /** Stores the event as handled. */
      confirm(): Promise<void>;
      /** Releases the claim. Does nothing when it has expired and another caller holds one. */
      release(): Promise<void>;
    }
  /** Handled before: respond with success. */
  | { readonly status: 'handled' }
  /**
   * Another caller is handling the event, or the store has reached its limit of claims: let the service send it again.
   * Success would be wrong, because the other handler may still fail.
   */
  | { readonly status: 'busy' };
