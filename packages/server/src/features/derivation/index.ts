export { derive, type Placement } from './derive.ts';
export { deriveAndSave } from './derive-and-save.ts';
export { type DerivationSettings, toDerivationSettings } from './settings.ts';
