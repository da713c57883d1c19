import { deliveryOperations } from './delivery-operations.ts';
import { derivedOperations } from './derived-operations.ts';
import { deviceOperations } from './device-operations.ts';
import { eventOperations } from './event-operations.ts';
import { incidentOperations } from './incident-operations.ts';
import type { Operation } from './operation.ts';
import { policyOperations } from './policy-operations.ts';
import { serviceOperations } from './service-operations.ts';
import { tokenOperations } from './token-operations.ts';
import { webhookOperations } from './webhook-operations.ts';

/** Every operation of the API. The OpenAPI document, the router's completeness check and the route tests walk this list. */
export const operations: readonly Operation[] = [
  ...deviceOperations,
  ...eventOperations,
  ...derivedOperations,
  ...incidentOperations,
  ...policyOperations,
  ...webhookOperations,
  ...deliveryOperations,
  ...tokenOperations,
  ...serviceOperations,
];
