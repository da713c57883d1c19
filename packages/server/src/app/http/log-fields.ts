import { idForm } from '@tps/contract';
import type { FastifyRequest } from 'fastify';
import { refusalCodeOf } from '../../platform/http/refusal-code.ts';

const DEVICE_ID = idForm('device');
/** The device that such a request names can be another tenant's. */
const OF_OTHERS: readonly string[] = ['not_found', 'tenant_mismatch'];

/** What both logs have about a request beside its result: why it was refused, and which device it names. */
export interface LogFields {
  readonly code?: string;
  readonly deviceId?: string;
}

export function toLogFields(request: FastifyRequest): LogFields {
  const code = refusalCodeOf(request.raw);
  const deviceId = OF_OTHERS.includes(code ?? '') ? undefined : deviceIdOf(request);
  return { ...(code === undefined ? {} : { code }), ...(deviceId === undefined ? {} : { deviceId }) };
}

/**
 * Returns the device of the credential, of the path, or of the signature. The last two are what an authenticated caller
 * claims: of a request with an invalid signature, this is the device that it names.
 */
function deviceIdOf({
  authenticated: caller,
  params,
  headers,
  routeOptions,
}: FastifyRequest): string | undefined {
  if (!caller) return undefined;
  if (caller.deviceId !== undefined) return caller.deviceId;
  const { operation } = routeOptions.config;
  const inPath = operation?.id === 'device' ? (params as { id?: string }).id : undefined;
  if (inPath !== undefined && DEVICE_ID.test(inPath)) return inPath;
  const input = operation?.signature && headers['signature-input'];
  const signer = input && /;keyid="([^"]{1,80})"/.exec(String(input))?.[1];
  return signer && DEVICE_ID.test(signer) ? signer : undefined;
}
