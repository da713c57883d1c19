import { FeatureList } from '../features/feature-list.ts';
import { isCounterfeit } from '../features/url/brand-use.ts';
import { explainUrl } from '../features/url/explain-url.ts';
import { parseLinkAddress } from '../features/url/link-address.ts';
import { isOfficialSite } from '../features/url/official-site.ts';
import { addUrlFeatures } from '../features/url/url-features.ts';
import { toUrlTraits } from '../features/url/url-traits.ts';
import type { ThreatType } from '../threat-type.ts';
import { calibrate } from './calibration.ts';
import { scoreLinear } from './linear-model.ts';
import type { CalibratedModel } from './models.ts';

/** The score of a link by itself: no page is fetched. */
export interface UrlScore {
  /** Probability that it leads to a phishing page or another scam, 0 to 1. */
  readonly probability: number;
  /** Clauses on why it looks suspicious, the strongest first. They never contain the URL. */
  readonly reasons: string[];
  readonly threatType: ThreatType;
  /** It spells a well-known brand in letters of another script, which has no legitimate use. */
  readonly counterfeit: boolean;
  /** It leads to a domain of a well-known company or a government on which not everyone can publish. */
  readonly official: boolean;
}

/** Scores a link with or without scheme; undefined when its host is not on the internet. */
export function scoreUrl(url: string, { linear, calibration }: CalibratedModel): UrlScore | undefined {
  const address = parseLinkAddress(url);
  if (!address) return undefined;
  const traits = toUrlTraits(address);
  const features = new FeatureList(linear.bits);
  addUrlFeatures(features, address, traits);
  return {
    probability: calibrate(calibration, scoreLinear(linear, features)),
    reasons: explainUrl(address, traits),
    threatType:
      traits.brand.use === 'none' || traits.brand.use === 'own' ? 'phishing_link' : 'credential_phishing',
    counterfeit: isCounterfeit(address, traits.brand),
    official: isOfficialSite(address, traits.brand),
  };
}

/** Checks without a model whether a link spells a well-known brand in letters of another script. */
export function isCounterfeitUrl(url: string): boolean {
  const address = parseLinkAddress(url);
  return address !== undefined && isCounterfeit(address, toUrlTraits(address).brand);
}
