export { incidentTriage } from './incident-triage.ts';
