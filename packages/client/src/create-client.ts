import { type ClientOptions, createConnection } from './http/connection.ts';
import { alertsResource } from './resources/alerts.ts';
import { artifactsResource } from './resources/artifacts.ts';
import { devicesResource } from './resources/devices.ts';
import { eventsResource } from './resources/events.ts';
import { guidanceResource } from './resources/guidance.ts';
import { incidentsResource } from './resources/incidents.ts';
import { indicatorsResource } from './resources/indicators.ts';
import { jobsResource } from './resources/jobs.ts';
import { policiesResource } from './resources/policies.ts';
import { scanResource } from './resources/scan.ts';
import { serviceResource } from './resources/service.ts';
import { statusResource } from './resources/status.ts';
import { threatsResource } from './resources/threats.ts';
import { tokensResource } from './resources/tokens.ts';
import { tracesResource } from './resources/traces.ts';
import { webhooksResource } from './resources/webhooks.ts';

/** Every call of the service, by the noun it is about. Holds no connection open and needs no end. */
export type Client = ReturnType<typeof createClient>;

/**
 * Makes a client of one service. Members of queries and bodies are named as in the contract; what is about the call
 * itself (`signal`, `timeoutMs`, `idempotencyKey`, `ifMatch`) is camel case.
 *
 * @throws TypeError when the address is none to send a credential to
 */
export function createClient(options: ClientOptions) {
  const connection = createConnection(options);
  return {
    alerts: alertsResource(connection),
    artifacts: artifactsResource(connection),
    devices: devicesResource(connection),
    events: eventsResource(connection),
    guidance: guidanceResource(connection),
    incidents: incidentsResource(connection),
    indicators: indicatorsResource(connection),
    jobs: jobsResource(connection),
    policies: policiesResource(connection),
    scan: scanResource(connection),
    service: serviceResource(connection),
    status: statusResource(connection),
    threats: threatsResource(connection),
    tokens: tokensResource(connection),
    traces: tracesResource(connection),
    webhooks: webhooksResource(connection),
  };
}
