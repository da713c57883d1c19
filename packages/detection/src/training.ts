/**
 * The internals that `tools/training` of this repository trains and measures models with, and that `tools/word-lists`
 * generates lists with: `@tps/detection/training`.
 *
 * @internal It changes with the models, without notice to other users.
 */

export { toTextFindings } from './analysis/analyze-text.ts';
export { combineConfidence } from './analysis/confidence.ts';
export { FeatureList } from './features/feature-list.ts';
export { hashText } from './features/hash.ts';
export {
  DOCUMENT_FEATURES,
  LONG_WINDOW,
  SHORT_WINDOW,
} from './features/text/document-features.ts';
export { FUNCTION_WORDS, isKnownLanguage } from './features/text/known-language.ts';
export { addWordFeatures, toWordSequence, type WordSequence } from './features/text/word-features.ts';
export { isNamedAfter } from './features/url/brand-use.ts';
export { BRANDS } from './features/url/brands.ts';
export { type LinkAddress, parseLinkAddress } from './features/url/link-address.ts';
export { toLinkViews } from './features/url/link-views.ts';
export { OPEN_TO_ALL } from './features/url/official-site.ts';
export { addUrlFeatures } from './features/url/url-features.ts';
export { TRAITS, toUrlTraits, type UrlTraits } from './features/url/url-traits.ts';
export { FAMILY_NAMES } from './lexicon/family-names.ts';
export { GIVEN_NAMES } from './lexicon/given-names.ts';
export { toNameKey } from './lexicon/name-key.ts';
export { type Calibration, calibrate } from './model/calibration.ts';
export { type LinearModel, scoreLinear } from './model/linear-model.ts';
export { ModelDamagedError } from './model/model-damaged-error.ts';
export { encodeModels, type StoredModels } from './model/model-file.ts';
export type { CalibratedModel } from './model/models.ts';
export { type PreparedText, prepareText } from './model/prepare-text.ts';
export { describeText, scoreDocument, scoreText, scoreWords } from './model/score-text.ts';
export { scoreUrl, scoreViews } from './model/score-url.ts';
