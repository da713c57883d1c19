import { alertOperations } from './alert/operations.ts';
import { artifactOperations } from './artifact/operations.ts';
import { auditOperations } from './audit/operations.ts';
import { bulkOperations } from './bulk/operations.ts';
import { dataRequestOperations } from './data-request/operations.ts';
import { deadLetterOperations } from './dead-letter/operations.ts';
import { deliveryOperations } from './delivery/operations.ts';
import { deviceOperations } from './device/operations.ts';
import { enrolmentOperations } from './enrolment/operations.ts';
import { eventOperations } from './event/operations.ts';
import { guidanceOperations } from './guidance/operations.ts';
import { holdingOperations } from './holding/operations.ts';
import { incidentOperations } from './incident/operations.ts';
import { indicatorOperations } from './indicator/operations.ts';
import { invitationOperations } from './invitation/operations.ts';
import { jobOperations } from './job/operations.ts';
import { memberOperations } from './member/operations.ts';
import { noticeOperations } from './notice/operations.ts';
import { oauthClientOperations } from './oauth-client/operations.ts';
import type { Operation } from './openapi/operation.ts';
import { policyOperations } from './policy/operations.ts';
import { scanOperations } from './scan/operations.ts';
import { serviceOperations } from './service/operations.ts';
import { settingsOperations } from './settings/operations.ts';
import { signOnOperations } from './sign-on/operations.ts';
import { statisticsOperations } from './statistics/operations.ts';
import { statusOperations } from './status/operations.ts';
import { threatOperations } from './threat/operations.ts';
import { tokenOperations } from './token/operations.ts';
import { traceOperations } from './trace/operations.ts';
import { viewOperations } from './view/operations.ts';
import { webhookOperations } from './webhook/operations.ts';

/** Every operation of the API. The OpenAPI document, the router's completeness check and the route tests walk this list. */
export const operations: readonly Operation[] = [
  ...deviceOperations,
  ...eventOperations,
  ...threatOperations,
  ...alertOperations,
  ...incidentOperations,
  ...jobOperations,
  ...artifactOperations,
  ...traceOperations,
  ...policyOperations,
  ...indicatorOperations,
  ...webhookOperations,
  ...deliveryOperations,
  ...deadLetterOperations,
  ...bulkOperations,
  ...noticeOperations,
  ...enrolmentOperations,
  ...tokenOperations,
  ...oauthClientOperations,
  ...memberOperations,
  ...holdingOperations,
  ...invitationOperations,
  ...signOnOperations,
  ...viewOperations,
  ...settingsOperations,
  ...dataRequestOperations,
  ...auditOperations,
  ...scanOperations,
  ...guidanceOperations,
  ...statusOperations,
  ...statisticsOperations,
  ...serviceOperations,
];
