/**
 * What `tools/training` of this repository needs to train and measure the models: `@tps/detection/training`.
 *
 * @internal It changes with the models and keeps no promise to other users.
 */

export { weighText } from './analysis/analyze-text.ts';
export { fuse } from './analysis/confidence.ts';
export { FeatureList } from './features/feature-list.ts';
export { hashText } from './features/hash.ts';
export {
  DOCUMENT_FEATURES,
  documentFeatures,
  LONG_WINDOW,
  SHORT_WINDOW,
} from './features/text/document-features.ts';
export { FUNCTION_WORDS, knowsLanguage } from './features/text/known-language.ts';
export { tokenise } from './features/text/tokenize.ts';
export { addWordFeatures, readPlaces, type WordPlaces } from './features/text/word-features.ts';
export { BRANDS } from './features/url/brands.ts';
export { type Address, readAddress } from './features/url/link-address.ts';
export { addUrlFeatures } from './features/url/url-features.ts';
export { readTraits } from './features/url/url-traits.ts';
export { FAMILY_NAMES } from './lexicon/family-names.ts';
export { GIVEN_NAMES } from './lexicon/given-names.ts';
export { type Calibration, calibrate } from './model/calibration.ts';
export { type LinearModel, scoreLinear } from './model/linear-model.ts';
export { ModelDamagedError } from './model/model-damaged-error.ts';
export { encodeModels, type StoredModels } from './model/model-file.ts';
export type { CalibratedModel } from './model/models.ts';
export { scoreDocument, scoreText, scoreWords } from './model/score-text.ts';
export { scoreUrl } from './model/score-url.ts';
