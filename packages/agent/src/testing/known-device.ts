import { onTestFinished } from 'vitest';
import { DeviceClientError } from '../errors/device-client-error.ts';
import { createDeviceClient, type DeviceClientOptions } from '../node/http/device-client.ts';
import { generateDeviceKey } from '../node/keys/software-key.ts';
import { startCheckingService } from './checking-service.ts';
import { DEVICE_ID } from './sample-event.ts';

export { DEVICE_ID, eventNumber } from './sample-event.ts';

export const CREDENTIAL = 'svc_test_ThisIsNotARealCredential';

/** Starts a checking service that stops with the test. */
export async function startService(...args: Parameters<typeof startCheckingService>) {
  const service = await startCheckingService(...args);
  onTestFinished(async () => {
    await service.close();
  });
  return service;
}

/** Creates a client for a device that the service already knows. */
export async function knownDevice(
  service: Awaited<ReturnType<typeof startService>>,
  overrides: Partial<DeviceClientOptions> = {},
) {
  const key = overrides.key ?? (await generateDeviceKey('ed25519'));
  service.trust(DEVICE_ID, key.publicKeyB64);
  const options = {
    baseUrl: service.url,
    credential: CREDENTIAL,
    deviceId: DEVICE_ID,
    tenantId: 'tnt_1',
    key,
  };
  return createDeviceClient({ ...options, ...overrides });
}

export async function failureOf(answer: Promise<unknown>): Promise<DeviceClientError> {
  const error = await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DeviceClientError)) {
    throw new Error(`expected a DeviceClientError, got ${error}`);
  }
  return error;
}
