export { type Client, createClient } from './create-client.ts';
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitedError,
  type Refusal,
  ServiceError,
} from './errors/api-error.ts';
export { ClientError } from './errors/client-error.ts';
export {
  ConnectionError,
  TimeoutError,
  type UnexpectedAnswerCode,
  UnexpectedAnswerError,
} from './errors/transport-errors.ts';
export type { CallOptions, ClientOptions, KeyedOptions } from './http/connection.ts';
export type { Credential, TokenSource } from './http/credential.ts';
export type { Fetch } from './http/exchange.ts';
export type { RetryRules } from './http/retry.ts';
export { type ClientCredentialsOptions, clientCredentials } from './oauth/client-credentials.ts';
export {
  type DeviceAuthorization,
  type DeviceAuthorizationOptions,
  deviceAuthorization,
} from './oauth/device-authorization.ts';
export { findAuthUrl } from './oauth/find-auth-url.ts';
export { OAuthError } from './oauth/oauth-error.ts';
export { type RefreshTokensOptions, refreshTokens, revokeOAuthToken } from './oauth/refresh-tokens.ts';
export type { OAuthClientOptions, OAuthTokens } from './oauth/token-endpoint.ts';
export type { FollowOptions } from './paging/follow.ts';
export type { ItemOf, List, Page } from './paging/list.ts';
export type { ChangedUpdatesOptions } from './resources/devices.ts';
export type { EventStreamOptions } from './resources/events.ts';
export type { IncidentUpdateOptions } from './resources/incidents.ts';
export type { ChangedBundleOptions } from './resources/indicators.ts';
export type { WaitForJobOptions } from './resources/jobs.ts';
export type { NoticeChannelUpdateOptions } from './resources/notice-channels.ts';
export type { ChangedPolicyOptions } from './resources/policies.ts';
export type { ListOptions, ReadOptions } from './resources/read-options.ts';
export type { SignedRequest } from './resources/signed-request.ts';
export type { TenantParam } from './resources/webhooks.ts';
export type {
  ActionCounts,
  AdoptedHoldings,
  Alert,
  AlertPage,
  ApiErrorCode,
  Artifact,
  ArtifactPage,
  AuditEntry,
  AuditPage,
  ChangedEvent,
  CheckedIndicator,
  CheckedIndicators,
  ClientKeys,
  ClientSecretRotation,
  Counts,
  CreatedEnrolment,
  CreatedInvitation,
  CreatedOAuthClient,
  CreatedToken,
  CredentialRenewal,
  DataRecord,
  DataRecordPage,
  DataRequest,
  DataRequestPage,
  DataSubject,
  DeadLetter,
  DeadLetterBulk,
  DeadLetterBulkResults,
  DeadLetterPage,
  Delivery,
  DeliveryPage,
  Device,
  DeviceBulk,
  DeviceBulkResults,
  DeviceChange,
  DeviceCredential,
  DeviceHealth,
  DeviceKey,
  DeviceKeyRotation,
  DevicePage,
  DeviceRegistration,
  DeviceUpdates,
  Enrolment,
  EnrolmentPage,
  ErasedEvent,
  ErasedEventPage,
  Event,
  EventBatch,
  EventBatchResult,
  EventBatchResults,
  EventContext,
  EventMetadata,
  EventPage,
  FieldProblem,
  GuidanceCard,
  GuidancePage,
  Holding,
  HoldingAdoption,
  HoldingPage,
  Incident,
  IncidentAssignee,
  IncidentAssigneePage,
  IncidentBulk,
  IncidentBulkResults,
  IncidentChange,
  IncidentMove,
  IncidentPage,
  IncidentTimelineEntry,
  IndicatorBundle,
  IndicatorCheck,
  IndicatorImport,
  IndicatorImportResult,
  IndicatorKeys,
  IndicatorPage,
  IndicatorSource,
  IndicatorSources,
  Invitation,
  InvitationPage,
  Job,
  JobAuditPage,
  JobBulk,
  JobBulkResults,
  JobCancellation,
  JobPage,
  Liveness,
  Member,
  MemberPage,
  MemberUpdate,
  NewDataRequest,
  NewDeletionRequest,
  NewEnrolment,
  NewIndicator,
  NewInvitation,
  NewJob,
  NewNoticeChannel,
  NewOAuthClient,
  NewPolicy,
  NewPolicySimulation,
  NewScan,
  NewToken,
  NewView,
  NewWebhook,
  Notice,
  NoticeChannel,
  NoticeChannelChange,
  NoticeChannelPage,
  NoticePage,
  OAuthClient,
  OAuthClientChange,
  OAuthClientPage,
  Policy,
  PolicyChange,
  PolicyPage,
  PolicySimulation,
  ProtectionStatus,
  QuietHours,
  Readiness,
  Recovery,
  RecoveryStarted,
  RegisteredDevice,
  Replay,
  ReplayStarted,
  Review,
  SavedView,
  SavedViewPage,
  ScanResult,
  Scope,
  SecretRotation,
  Setting,
  Severity,
  SignOn,
  SignOnSettings,
  SimilarIncident,
  SimilarIncidents,
  Statistics,
  StatisticsDurations,
  StatisticsSeries,
  TenantDeletionRequest,
  TenantSettings,
  TestDelivery,
  TestNotice,
  Threat,
  ThreatCategory,
  ThreatIndicator,
  ThreatPage,
  Token,
  TokenPage,
  TokenRoll,
  Trace,
  TraceStep,
  TraceStepPage,
  ViewChange,
  Webhook,
  WebhookChange,
  WebhookPage,
} from './schemas.ts';
export type { ItemStream, StreamOptions, StreamState } from './streaming/event-stream.ts';
export { type ExpressRequest, expressWebhookHandler } from './webhooks/adapters/express-handler.ts';
export {
  type FastifyLike,
  type FastifyReplyLike,
  fastifyWebhookPlugin,
} from './webhooks/adapters/fastify-plugin.ts';
export { fetchWebhookHandler, honoWebhookHandler } from './webhooks/adapters/fetch-handler.ts';
export { type NodeResponse, nodeWebhookListener } from './webhooks/adapters/node-listener.ts';
export type { EventIdClaim, EventIdStore } from './webhooks/event-id-store.ts';
export {
  createMemoryEventIdStore,
  type MemoryEventIdStoreOptions,
} from './webhooks/memory-event-id-store.ts';
export {
  receiveWebhook,
  type WebhookAnswer,
  type WebhookReceiverOptions,
  type WebhookRequest,
} from './webhooks/receive-webhook.ts';
export {
  type VerificationRules,
  type VerifiedWebhook,
  type VerifyWebhookOptions,
  verifyWebhook,
} from './webhooks/verify-webhook.ts';
export type { RawBody, WebhookEvent } from './webhooks/webhook-body.ts';
export type { WebhookHeaders } from './webhooks/webhook-headers.ts';
export {
  type WebhookVerificationCode,
  WebhookVerificationError,
} from './webhooks/webhook-verification-error.ts';
