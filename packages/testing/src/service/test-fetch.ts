import { Agent } from 'undici';

/** A service that stops waits 500 ms for connections that may still send a request. Tests stop hundreds of services. */
const IDLE_MS = 20;
const dispatcher = new Agent({ keepAliveTimeout: IDLE_MS, keepAliveMaxTimeout: IDLE_MS });

/** `fetch` that closes a connection soon after it was used. */
export const testFetch: typeof fetch = (input, init) =>
  // The types of this undici and of Node's own differ where `fetch` does not look.
  fetch(input, { ...init, dispatcher } as unknown as RequestInit);
