import { type RequestSigner, type SignatureHeaders, signRequest } from '@tps/signatures';
import type { TestAnswer } from '../service/check-answer.ts';
import type { TestService } from '../service/test-service.ts';
import type { TestDevice } from './test-device.ts';

/** How a request is signed and sent; what is left out is as an honest agent does it. */
export interface SignedSend {
  readonly path?: string;
  readonly credential?: string;
  /** What is signed instead of what is sent. */
  readonly signed?: { readonly method?: string; readonly path?: string; readonly body?: string };
  /** Parts of the one signer, or all signers. */
  readonly signer?: Partial<RequestSigner> | readonly RequestSigner[];
  /** Sent along, and may be covered. */
  readonly extraHeaders?: Readonly<Record<string, string>>;
  /** Changes the signature's headers after signing. */
  readonly tamper?: (headers: SignatureHeaders) => Record<string, string>;
}

/** Signs and sends a POST request of a device in any way, also ones that no honest agent would. */
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

/** Gives the code of an error answer; undefined for any other answer. */
export function codeOf({ body }: TestAnswer): string | undefined {
  return (body as { error?: { code: string } } | undefined)?.error?.code;
}
