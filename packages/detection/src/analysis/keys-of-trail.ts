import type { LinkTrail } from '../features/url/follow-link.ts';
import type { IndicatorKey } from '../indicators/indicator.ts';
import { keysOfUrl } from '../indicators/keys.ts';

/** Returns the keys under which a link, or a link inside it, could be listed. */
export function keysOfTrail({ links }: LinkTrail): IndicatorKey[] {
  return links.flatMap(keysOfUrl);
}
