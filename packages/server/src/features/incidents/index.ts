export {
  COMMENT_ADDED,
  canJoinIncident,
  describeStatus,
  type IncidentMember,
  type IncidentRecord,
  type IncidentSubject,
  isUnresolved,
  joinIncident,
  type MemberKind,
  mergeTags,
  openIncident,
  resolvedAt,
  type TimelineRecord,
  timelineEntryOf,
} from './incident.ts';
export { describeIncidents } from './incident-details.ts';
export { changeIncident } from './incident-service.ts';
export * as incidentStore from './incident-store.ts';
export { transition } from './incident-transition.ts';
export * as missingTimesStore from './missing-times-store.ts';
export {
  MONITORING,
  updateMonitoringIncident,
  upsertMonitoringIncident,
} from './upsert-monitoring-incident.ts';
