import type { Database } from '../../database/index.ts';
import { alertRoutes } from '../../features/alerts/alert-routes.ts';
import type { RequestDatabase } from '../../features/authority/index.ts';
import { deviceBulkRoutes } from '../../features/devices/device-bulk-routes.ts';
import { deviceRoutes } from '../../features/devices/device-routes.ts';
import { DeviceService } from '../../features/devices/device-service.ts';
import type { SignatureFailures } from '../../features/devices/index.ts';
import { DeviceKeys } from '../../features/devices/index.ts';
import { eventRoutes } from '../../features/events/event-routes.ts';
import { EventService } from '../../features/events/event-service.ts';
import {
  type EventCounter,
  type EventStreams,
  type EventWriter,
  toDerivationSettings,
} from '../../features/events/index.ts';
import { guidanceRoutes } from '../../features/guidance/guidance-routes.ts';
import type { Holdings } from '../../features/holdings/index.ts';
import { incidentRoutes } from '../../features/incidents/incident-routes.ts';
import { IncidentService } from '../../features/incidents/incident-service.ts';
import { BundleKey, BundleLibrary } from '../../features/indicators/index.ts';
import { indicatorRoutes } from '../../features/indicators/indicator-routes.ts';
import { IndicatorService } from '../../features/indicators/indicator-service.ts';
import { jobBulkRoutes } from '../../features/jobs/job-bulk-routes.ts';
import { jobRoutes } from '../../features/jobs/job-routes.ts';
import { JobService } from '../../features/jobs/job-service.ts';
import { oauthClientRoutes } from '../../features/oauth/clients/client-routes.ts';
import { OAuthClientService } from '../../features/oauth/clients/client-service.ts';
import { policyRoutes } from '../../features/policies/policy-routes.ts';
import { PolicyService } from '../../features/policies/policy-service.ts';
import { PolicySimulationService } from '../../features/policies/policy-simulation-service.ts';
import type { ContentAnalyzer, ScanWriter } from '../../features/scan/index.ts';
import { scanRoutes } from '../../features/scan/scan-routes.ts';
import { ScanService } from '../../features/scan/scan-service.ts';
import { statisticsRoutes } from '../../features/statistics/statistics-routes.ts';
import type { StatusReader } from '../../features/status/index.ts';
import { statusRoutes } from '../../features/status/status-routes.ts';
import { threatRoutes } from '../../features/threats/threat-routes.ts';
import { enrolmentRoutes } from '../../features/tokens/enrolments/enrolment-routes.ts';
import { EnrolmentService } from '../../features/tokens/enrolments/enrolment-service.ts';
import { DeviceCredentials } from '../../features/tokens/index.ts';
import { tokenRoutes } from '../../features/tokens/token-routes.ts';
import type { TokenService } from '../../features/tokens/token-service.ts';
import { deadLetterBulkRoutes } from '../../features/webhooks/deliveries/dead-letter-bulk-routes.ts';
import { deliveryRoutes } from '../../features/webhooks/deliveries/delivery-routes.ts';
import { DeliveryService } from '../../features/webhooks/deliveries/delivery-service.ts';
import type { Wake } from '../../features/webhooks/index.ts';
import { webhookRoutes } from '../../features/webhooks/webhook-routes.ts';
import { WebhookService } from '../../features/webhooks/webhook-service.ts';
import type { Clock } from '../../platform/clock.ts';
import type { FairTurns } from '../../platform/concurrency/fair-turns.ts';
import type { Config } from '../../platform/config/config.ts';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Tracer } from '../../platform/tracing/tracer.ts';
import { buildTenantRoutes } from './build-tenant-routes.ts';
import type { Jobs } from './prepare-jobs.ts';
import type { WebhookDelivery } from './start-webhooks.ts';

interface RoutesParts {
  readonly config: Config;
  /** For the service's own work. Requests change the store through `requests`. */
  readonly database: Database;
  readonly requests: RequestDatabase;
  readonly clock: Clock;
  readonly cursors: CursorCodec;
  readonly tokens: TokenService;
  readonly version: string;
  readonly push: WebhookDelivery;
  readonly jobs: Jobs;
  readonly signatureFailures: SignatureFailures;
  readonly analyzer: ContentAnalyzer;
  readonly scanWriter: ScanWriter;
  readonly tracer: Tracer;
  readonly turns: FairTurns;
  readonly eventWriter: EventWriter;
  readonly eventCounter: EventCounter;
  readonly streams: EventStreams;
  readonly wake: Wake;
  readonly status: StatusReader;
  /** Those of members, invitations, sign-on and notices. */
  readonly otherRoutes: readonly Route[];
  readonly wakeDataRequests: () => void;
  readonly holdings: Holdings;
}

/** Connects the features. Returns their routes. */
export function buildRoutes(parts: RoutesParts): Route[] {
  const { config, database, requests, clock, cursors, tokens } = parts;
  const { signatureFailures, analyzer, scanWriter, turns, eventWriter: writer, wake, tracer } = parts;
  const { client, dispatcher, secrets } = parts.push;
  const { worker, workflows } = parts.jobs;
  const settings = toDerivationSettings(config.derivation);
  const keys = new DeviceKeys(database, (request, deviceId) => signatureFailures.record(request, deviceId));
  const events = new EventService({
    ...{ keys, writer, turns, clock, counter: parts.eventCounter },
    retentionDays: config.retention.eventDays,
  });
  const credentials = new DeviceCredentials({ lifetimeDays: config.devices.credentialDays });
  const devices = new DeviceService({ database: requests, clock, keys, turns, credentials });
  const enrolments = new EnrolmentService({ database, clock });
  const incidents = new IncidentService({ database: requests, clock });
  const oauthClients = new OAuthClientService({ database, clock, endHoldings: parts.holdings.end });
  const policies = new PolicyService({ database: requests, clock });
  const simulations = new PolicySimulationService({ database: requests, clock, turns });
  const bundleKey = new BundleKey({ database, secrets });
  const bundles = new BundleLibrary({ database, clock, bundleKey });
  const indicators = new IndicatorService({ clock });
  const jobs = new JobService({ database: requests, clock, workflows, wake: () => worker.wake() });
  const deliveries = new DeliveryService({ database: requests, clock, wake });
  const webhooks = new WebhookService({
    database: requests,
    clock,
    secrets,
    checkTarget: (url) => client.checkTarget(url),
    wake: () => dispatcher.pollNow(),
  });
  const scans = new ScanService({ database: requests, clock, analyzer, writer: scanWriter, tracer });
  const windows = settings.threat;
  return [
    ...deviceRoutes({ database: requests, cursors, devices, bundles, clock, ...config.monitoring }),
    ...deviceBulkRoutes({ database: requests, cursors, devices }),
    ...eventRoutes({ database: requests, cursors, events, streams: parts.streams }),
    ...threatRoutes({ database: requests, cursors, clock, windows }),
    ...alertRoutes({ database: requests, cursors }),
    ...incidentRoutes({ database: requests, cursors, incidents }),
    ...policyRoutes({ database: requests, cursors, policies, simulations }),
    ...indicatorRoutes({ database: requests, cursors, indicators, bundles, bundleKey, turns, clock }),
    ...jobRoutes({ database: requests, cursors, clock, jobs }),
    ...jobBulkRoutes({ database: requests, cursors, jobs }),
    ...webhookRoutes({ database: requests, cursors, clock, webhooks }),
    ...deliveryRoutes({ database: requests, cursors, deliveries }),
    ...deadLetterBulkRoutes({ database: requests, cursors, deliveries }),
    ...enrolmentRoutes({ database: requests, cursors, clock, enrolments }),
    ...tokenRoutes({ database: requests, cursors, clock, tokens }),
    ...oauthClientRoutes({ database: requests, cursors, clock, oauthClients }),
    ...parts.otherRoutes,
    ...buildTenantRoutes(parts),
    ...scanRoutes(scans),
    ...guidanceRoutes({ cursors }),
    ...statisticsRoutes({ database: requests, clock }),
    ...statusRoutes(parts.status),
  ];
}
