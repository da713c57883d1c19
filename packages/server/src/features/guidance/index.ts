export { guidanceRoutes } from './guidance-routes.ts';
export { type GuidanceLibrary, loadGuidance } from './load-guidance.ts';
