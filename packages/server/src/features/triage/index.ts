export { incidentTriage } from './incident-triage.ts';
export { guidanceIdsFor } from './recommendation/guidance-ids.ts';
