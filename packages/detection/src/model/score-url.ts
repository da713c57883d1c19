import { FeatureList } from '../features/feature-list.ts';
import { isCounterfeit } from '../features/url/brand-use.ts';
import { leadsElsewhere } from '../features/url/click-hosts.ts';
import { explainUrl } from '../features/url/explain-url.ts';
import { followLink, type LinkTrail } from '../features/url/follow-link.ts';
import { type LinkAddress, parseLinkAddress } from '../features/url/link-address.ts';
import { toLinkViews } from '../features/url/link-views.ts';
import { listedOwner } from '../features/url/listed-owner.ts';
import { ownerOfSite } from '../features/url/official-site.ts';
import { addHostFeatures, addPageFeatures } from '../features/url/url-features.ts';
import { toHostTraits, toUrlTraits } from '../features/url/url-traits.ts';
import type { ThreatType } from '../threat-type.ts';
import type { LinkTrait } from '../wording/clause.ts';
import { calibrate } from './calibration.ts';
import { type LinearModel, scoreLinear } from './linear-model.ts';
import type { CalibratedModel } from './models.ts';

/** The score of a link by itself: no page is fetched. */
export interface UrlScore {
  /** Probability that it leads to a phishing page or another scam, 0 to 1. */
  readonly probability: number;
  /** Why it looks suspicious, the strongest first. */
  readonly traits: readonly LinkTrait[];
  readonly threatType: ThreatType;
  /** It spells a well-known brand in letters of another script, which has no legitimate use. */
  readonly counterfeit: boolean;
  /** The well-known company, or `authority`, on whose own site it leads, if not everyone can publish there. */
  readonly owner: string | undefined;
}

/** The most that the spelling of a link says against a page on a domain of a well-known company. */
const OWNERS_PAGE = 0.2;
/** The same for the click counter of a known service. */
const COUNTED_CLICK = 0.5;

/** Scores a link with or without scheme; undefined when its host, and those to which it leads, are not on the internet. */
export function scoreUrl(url: string, model: CalibratedModel): UrlScore | undefined {
  return scoreTrail(followLink(url), model);
}

/** Scores a link by the worst of the addresses to which it leads. */
export function scoreTrail({ links, judged }: LinkTrail, model: CalibratedModel): UrlScore | undefined {
  const scores = judged.flatMap((link) => {
    const score = scoreAddress(link, model);
    return score === undefined ? [] : [{ link, score }];
  });
  const worst = scores.reduce<(typeof scores)[number] | undefined>(
    (one, other) => (one === undefined || isWorse(other.score, one.score) ? other : one),
    undefined,
  );
  if (!worst) return undefined;
  const { traits, owner } = worst.score;
  return {
    ...worst.score,
    traits: worst.link === links[0] ? traits : [...traits, 'leads_on'],
    owner:
      scores.length === judged.length && scores.every(({ score }) => score.owner === owner)
        ? owner
        : undefined,
  };
}

/** Compares two links: one that spells a brand in letters of another script is worse than any other. */
export function isWorse(one: UrlScore, other: UrlScore): boolean {
  if (one.counterfeit !== other.counterfeit) return one.counterfeit;
  return one.probability > other.probability;
}

function scoreAddress(link: string, { linear, calibration }: CalibratedModel): UrlScore | undefined {
  const address = parseLinkAddress(link);
  if (!address) return undefined;
  const host = toHostTraits(address);
  const traits = toUrlTraits(address, host);
  const probability = calibrate(calibration, scoreViews(address, linear, host));
  return {
    probability: Math.min(probability, mostFor(address)),
    traits: explainUrl(address, traits),
    threatType:
      traits.brand.use === 'none' || traits.brand.use === 'own' ? 'phishing_link' : 'credential_phishing',
    counterfeit: isCounterfeit(address, traits.brand),
    owner: ownerOfSite(address, traits.brand),
  };
}

/**
 * Only the company decides what is on a listed domain, and a click counter says nothing about the page behind it. A user
 * name or a port may hide another place.
 */
function mostFor(address: LinkAddress): number {
  if (address.userinfo || address.port || address.disguised) return 1;
  if (listedOwner(address) !== undefined) return OWNERS_PAGE;
  return leadsElsewhere(address.host) ? COUNTED_CLICK : 1;
}

/** Returns the highest log-odds of the views of an address: what is added behind a host never lowers its score. */
export function scoreViews(address: LinkAddress, linear: LinearModel, host = toHostTraits(address)): number {
  const features = new FeatureList(linear.bits);
  addHostFeatures(features, address, host.brand);
  const ofHost = features.length;
  let highest = Number.NEGATIVE_INFINITY;
  for (const view of toLinkViews(address)) {
    features.length = ofHost;
    addPageFeatures(features, view, toUrlTraits(view, host).values);
    highest = Math.max(highest, scoreLinear(linear, features));
  }
  return highest;
}

/** Checks without a model whether a link spells a well-known brand in letters of another script. */
export function isCounterfeitUrl(url: string): boolean {
  return followLink(url).judged.some((link) => {
    const address = parseLinkAddress(link);
    return address !== undefined && isCounterfeit(address, toUrlTraits(address).brand);
  });
}
