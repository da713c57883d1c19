import type { Queries } from '../../database/index.ts';
import type { AdmittedRequest } from '../../platform/http/route.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { type DeviceCredentials, tokenStore } from '../tokens/index.ts';
import { auditDevice } from './device-audit.ts';
import type { Registration } from './register-device.ts';

/**
 * Counts a use of the enrolment secret and creates the credential of a device that was registered in this transaction. A
 * device that was registered before costs no use: it repeats a request whose response was lost, or has lost its credential.
 *
 * @throws ServiceError `enrolment_exhausted`; the transaction must then be rolled back, registration included
 */
export async function enrolIn(
  tx: Queries,
  registration: Registration,
  {
    request,
    credentials,
    nowMs,
  }: { request: AdmittedRequest; credentials: DeviceCredentials; nowMs: number },
): Promise<Registration> {
  const { device, isNew } = registration;
  const { tenantId, deviceId } = device;
  const { tokenId: enrolmentId } = request.caller;
  if (isNew && !(await tokenStore.countUse(tx, tenantId, enrolmentId))) {
    throw new ServiceError(
      'enrolment_exhausted',
      'The enrolment secret has registered as many devices as it may; create another one',
    );
  }
  const credential = await credentials.issue(tx, { tenantId, deviceId, createdBy: enrolmentId, nowMs });
  return { ...registration, credential };
}

/** Records an enrolment beyond the uses of its secret, after its transaction was rolled back. @throws the error */
export async function refuseExhausted(
  database: RequestDatabase,
  error: unknown,
  { request, deviceId, nowMs }: { request: AdmittedRequest; deviceId: string; nowMs: number },
): Promise<never> {
  if (error instanceof ServiceError && error.code === 'enrolment_exhausted') {
    await database.transaction(request, (tx) =>
      auditDevice(tx, request, {
        tenantId: request.tenantId,
        deviceId,
        action: 'device.enrol',
        outcome: 'denied',
        detail: 'Enrolment rejected: the secret has no uses left',
        fields: { enrolment_id: request.caller.tokenId },
        nowMs,
      }),
    );
  }
  throw error;
}
