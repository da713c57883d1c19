export { type GuidanceLibrary, loadGuidance } from './load-guidance.ts';
