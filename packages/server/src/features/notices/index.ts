export { channelHoldings } from './channels/channel-holdings.ts';
export { findUnreadableChannels, rewrapChannelTargets } from './channels/stored-targets.ts';
export { enqueueNotices } from './enqueue-notices.ts';
export { type NotedChange, toIncidentCauses } from './incident-causes.ts';
export * as noticeStore from './notice-store.ts';
export type { Level, ServiceCheck } from './operator/service-check.ts';
