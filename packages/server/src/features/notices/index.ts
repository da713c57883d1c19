export { findUnreadableChannels, rewrapChannelTargets } from './channels/stored-targets.ts';
export { enqueueNotices } from './enqueue-notices.ts';
export { type NotedChange, type NotedIncident, toIncidentCauses } from './incident-causes.ts';
export { purgeNotices } from './purge-notices.ts';
