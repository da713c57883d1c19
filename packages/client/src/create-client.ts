import { type ClientOptions, createConnection } from './http/connection.ts';
import { alertsResource } from './resources/alerts.ts';
import { artifactsResource } from './resources/artifacts.ts';
import { auditResource } from './resources/audit.ts';
import { dataRequestsResource } from './resources/data-requests.ts';
import { devicesResource } from './resources/devices.ts';
import { enrolmentsResource } from './resources/enrolments.ts';
import { eventsResource } from './resources/events.ts';
import { guidanceResource } from './resources/guidance.ts';
import { holdingsResource } from './resources/holdings.ts';
import { incidentsResource } from './resources/incidents.ts';
import { indicatorsResource } from './resources/indicators.ts';
import { invitationsResource } from './resources/invitations.ts';
import { jobsResource } from './resources/jobs.ts';
import { membersResource } from './resources/members.ts';
import { noticeChannelsResource } from './resources/notice-channels.ts';
import { oauthClientsResource } from './resources/oauth-clients.ts';
import { policiesResource } from './resources/policies.ts';
import { scanResource } from './resources/scan.ts';
import { serviceResource } from './resources/service.ts';
import { settingsResource } from './resources/settings.ts';
import { signOnResource } from './resources/sign-on.ts';
import { statisticsResource } from './resources/statistics.ts';
import { statusResource } from './resources/status.ts';
import { threatsResource } from './resources/threats.ts';
import { tokensResource } from './resources/tokens.ts';
import { tracesResource } from './resources/traces.ts';
import { viewsResource } from './resources/views.ts';
import { webhooksResource } from './resources/webhooks.ts';

/** All operations of the API, grouped by resource. Holds no open connection, so it need not be closed. */
export type Client = ReturnType<typeof createClient>;

/**
 * Creates a client for one service. Members of queries and bodies have the names of the contract, in snake case; options
 * of the call itself (`signal`, `timeoutMs`, `idempotencyKey`, `ifMatch`) are camel case.
 *
 * Every method rejects with a `ClientError` when the call fails, with the signal's reason when it is aborted, and with a
 * `TypeError` for an invalid argument such as an empty id.
 *
 * @throws TypeError when `baseUrl` is invalid or a credential must not be sent there
 */
export function createClient(options: ClientOptions) {
  const connection = createConnection(options);
  return {
    alerts: alertsResource(connection),
    artifacts: artifactsResource(connection),
    audit: auditResource(connection),
    devices: devicesResource(connection),
    enrolments: enrolmentsResource(connection),
    events: eventsResource(connection),
    guidance: guidanceResource(connection),
    holdings: holdingsResource(connection),
    incidents: incidentsResource(connection),
    indicators: indicatorsResource(connection),
    invitations: invitationsResource(connection),
    jobs: jobsResource(connection),
    noticeChannels: noticeChannelsResource(connection),
    oauthClients: oauthClientsResource(connection),
    members: membersResource(connection),
    policies: policiesResource(connection),
    scan: scanResource(connection),
    service: serviceResource(connection),
    settings: settingsResource(connection),
    dataRequests: dataRequestsResource(connection),
    signOn: signOnResource(connection),
    statistics: statisticsResource(connection),
    status: statusResource(connection),
    threats: threatsResource(connection),
    tokens: tokensResource(connection),
    traces: tracesResource(connection),
    views: viewsResource(connection),
    webhooks: webhooksResource(connection),
  };
}
