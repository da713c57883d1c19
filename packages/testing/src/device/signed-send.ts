import { type RequestSigner, type SignatureHeaders, signRequest } from '@tps/signatures';
import type { TestAnswer } from '../service/check-answer.ts';
import type { TestService } from '../service/test-service.ts';
import type { TestDevice } from './test-device.ts';

/** How a request is signed and sent (default: as the agent does). */
export interface SignedSend {
  readonly path?: string;
  readonly credential?: string;
  /** Signed in place of what is sent. */
  readonly signed?: { readonly method?: string; readonly path?: string; readonly body?: string };
  /** Replaces parts of the one signer, or all signers. */
  readonly signer?: Partial<RequestSigner> | readonly RequestSigner[];
  /** Sent too, and available to the signature. */
  readonly extraHeaders?: Readonly<Record<string, string>>;
  /** Changes the signature's headers after signing. */
  readonly tamper?: (headers: SignatureHeaders) => Record<string, string>;
}

/** Signs and sends a POST request of a device, also in ways that the agent never would. */
export async function signedSend(
  service: TestService,
  device: Pick<TestDevice, 'deviceId' | 'key' | 'tenant'>,
  body: unknown,
  options: SignedSend = {},
): Promise<TestAnswer> {
  const { path = '/events', signed = {}, signer = {}, extraHeaders = {} } = options;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { privateKey, algorithm } = device.key;
  const signers = Array.isArray(signer)
    ? signer
    : [{ privateKey, algorithm, keyId: device.deviceId, tag: 'tps-event' as const, ...signer }];
  const headers = await signRequest(
    {
      method: signed.method ?? 'POST',
      path: signed.path ?? path.split('?')[0] ?? path,
      query: path.split('?')[1],
      authority: new URL(service.baseUrl).host,
      scheme: 'http',
      body: Buffer.from(signed.body ?? text),
      headers: extraHeaders,
    },
    signers,
  );
  return service.client.send('POST', path, {
    credential: options.credential ?? device.tenant.credential,
    body: text,
    headers: { ...extraHeaders, ...(options.tamper?.(headers) ?? headers) },
  });
}

/** Returns the code of an error response; undefined for any other response. */
export function codeOf({ body }: TestAnswer): string | undefined {
  return (body as { error?: { code: string } } | undefined)?.error?.code;
}
