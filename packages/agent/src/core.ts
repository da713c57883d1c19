export {
  type Decision,
  decide,
  FALLBACK_POLICIES,
  type PolicySet,
  STATUS_POLICY_ID,
} from '@tps/contract/decision';
export type { Agent, AgentNotice, AgentOptions, ScanOptions, ScanResult } from './agent.ts';
export type { CredentialState } from './credential/credential-renewal.ts';
export { OwnCredential } from './credential/own-credential.ts';
export { type DevicePlace, type Enrolment, enrol } from './enrolment/enrol.ts';
export {
  type EnrolledAgentOptions,
  type EnrolledPlace,
  openEnrolledAgent,
} from './enrolment/open-enrolled-agent.ts';
export { DeviceClientError } from './errors/device-client-error.ts';
export { ServiceUnreachableError } from './errors/service-unreachable-error.ts';
export type { AgentHealth } from './health.ts';
export { type Credential, createHttpTransport, type HttpTransportOptions } from './http/http-transport.ts';
export { openAgent } from './open-agent.ts';
export type { Detection } from './policy/detection.ts';
export type { AgentClock } from './ports/clock.ts';
export type { DeviceIdentity } from './ports/identity.ts';
export type {
  AgentIndicators,
  FetchedBundle,
  IndicatorsState,
  IndicatorTransport,
} from './ports/indicators.ts';
export { type DataKey, type DeviceKey, type DeviceKeys, KeyError, type KeyErrorCode } from './ports/keys.ts';
export {
  type AgentStorage,
  type AppendFile,
  StorageError,
  type StorageErrorCode,
  type StoredFile,
} from './ports/storage.ts';
export type {
  AgentTransport,
  CurrentTag,
  FetchedPolicies,
  FetchedUpdates,
  KeyRotation,
  Registration,
  Renewal,
  SignedUpload,
  TransportOutcome,
  UpdateTags,
} from './ports/transport.ts';
export { createEventId } from './recording/event-id.ts';
export type { RecordResult } from './recording/event-recorder.ts';
export type {
  EventHistory,
  EventStage,
  FsyncPolicy,
  LocalEvent,
  Refusal,
  SafeModeReason,
  StoredRecord,
  StoreState,
} from './store/event-store.ts';
