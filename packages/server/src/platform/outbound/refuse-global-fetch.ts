/**
 * Makes `fetch` of this process fail. Libraries that call it would reach any address, also internal ones, without the checks
 * and limits of `OutboundClient`. Returns a function that undoes it.
 */
export function refuseGlobalFetch(): () => void {
  const { fetch } = globalThis;
  globalThis.fetch = () => Promise.reject(new Error('Outgoing requests go through OutboundClient'));
  return () => {
    globalThis.fetch = fetch;
  };
}
