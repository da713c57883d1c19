import { mentionsOtherWay } from '../cues/ways-without-a-site.ts';
import { BRANDS, type Brand } from '../features/url/brands.ts';
import type { UrlScore } from '../model/score-url.ts';

/** A sum to pay, and a number to call. */
const OTHER_WAYS: ReadonlySet<string> = new Set(['<money>', '<phone>', '<email>']);
const BRAND_BY_NAME: ReadonlyMap<string, Brand> = new Map(BRANDS.map((brand) => [brand.name, brand]));

interface ReadText {
  /** The tokens of the model, in which sums, numbers and addresses are signs. */
  readonly tokens: readonly string[];
  /** The words of the text, in order. */
  readonly words: readonly string[];
  readonly links: readonly (UrlScore | undefined)[];
}

/**
 * Returns whether a message leads only to the sites of those that it names, as genuine notices do: every link leads
 * to the site of a company or an authority, every company that it names owns one of them, and it contains nothing
 * by which a scam could reach its aim without its own site.
 */
export function leadsHome({ tokens, words, links }: ReadText): boolean {
  const owners = new Set(links.map((link) => link?.owner));
  if (owners.size === 0 || owners.has(undefined)) return false;
  if (mentionsOtherWay(words)) return false;
  if (
    !namedBrands(words).every(
      ({ name, owns }) => owners.has(name) || [...owns].some((own) => owners.has(own)),
    )
  )
    return false;
  return !tokens.some((token) => OTHER_WAYS.has(token));
}

/** The well-known companies that a text names, also in two words: "royal mail". */
function namedBrands(words: readonly string[]): Brand[] {
  return words.flatMap((word, at) => {
    const brand = BRAND_BY_NAME.get(`${word}${words[at + 1] ?? ''}`) ?? BRAND_BY_NAME.get(word);
    return brand === undefined || isOrdinary(brand) ? [] : [brand];
  });
}

/** A name such as "target" is mostly meant as the word. */
function isOrdinary({ wholeWordOnly, name }: Brand): boolean {
  return wholeWordOnly && name.length > 4;
}
