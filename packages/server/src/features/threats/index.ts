export {
  canJoin,
  joinThreat,
  openThreat,
  recomputeThreat,
  type Sighting,
  type ThreatRecord,
  type ThreatWindows,
} from './threat.ts';
export * as threatStore from './threat-store.ts';
