import type { Caller } from './route.ts';

/**
 * Names a caller by what it cannot multiply: a device renews its credential, and a person or an OAuth client gets further
 * access tokens, as often as they like.
 */
export function holderOf({ tokenId, deviceId, issued }: Caller): string {
  return deviceId ?? issued?.accountId ?? issued?.clientId ?? tokenId;
}
