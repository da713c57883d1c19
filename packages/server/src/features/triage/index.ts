export { guidanceIdsFor } from './guidance-ids.ts';
export { incidentTriage } from './incident-triage.ts';
