import { followLink, type LinkTrail, unfollowed } from '../features/url/follow-link.ts';

/** Links inside the links of one text: each is scored and looked up like any other. */
const MAX_INNER_LINKS = 200;

/** Follows the links of a text. Those beyond the limit are judged by themselves, and `isWhole` is false. */
export function followLinks(links: readonly string[]): { trails: LinkTrail[]; isWhole: boolean } {
  let left = MAX_INNER_LINKS;
  const trails = links.map((link) => {
    const trail = left > 0 ? followLink(link) : unfollowed(link);
    left -= trail.links.length - 1;
    return trail;
  });
  return { trails, isWhole: left > 0 && trails.every((trail) => trail.isWhole) };
}
