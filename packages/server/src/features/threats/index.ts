export type { Sighting } from './sighting.ts';
export {
  canJoin,
  joinThreat,
  openThreat,
  recomputeThreat,
  type ThreatRecord,
  type ThreatWindows,
} from './threat.ts';
export { threatRoutes } from './threat-routes.ts';
export * as threatStore from './threat-store.ts';
