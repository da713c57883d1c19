export {
  canJoin,
  joinThreat,
  openThreat,
  recomputeThreat,
  type Sighting,
  type ThreatRecord,
  type ThreatWindows,
} from './threat.ts';
export { threatRoutes } from './threat-routes.ts';
export * as threatStore from './threat-store.ts';
