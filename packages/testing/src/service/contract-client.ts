import { readJson } from '@tps/contract/json';
import { checkAnswer, type TestAnswer } from './check-answer.ts';
import { testFetch } from './test-fetch.ts';

export interface TestRequest {
  readonly credential?: string;
  /** An object is sent as JSON, text and bytes unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ContractClient {
  /** Sends a request over HTTP. Throws if the contract does not describe the answer. */
  send(method: string, path: string, request?: TestRequest): Promise<TestAnswer>;
}

/** Creates a client that checks every answer against the contract: status, body, error code, headers. */
export function createContractClient(baseUrl: string): ContractClient {
  return {
    async send(method, path, { credential, body, headers = {} } = {}) {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array;
      const response = await testFetch(`${baseUrl}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
      });
      const text = isStream(response) ? await readFirstMessage(response) : await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') ?? false;
      const answer = {
        status: response.status,
        headers: response.headers,
        text,
        body: isJson ? readJson(text) : undefined,
      };
      checkAnswer(answer, { method, path });
      return answer;
    },
  };
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}

/** A stream has no end: reads its first message and closes it. */
async function readFirstMessage({ body }: Response): Promise<string> {
  let text = '';
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes('\n\n')) break;
  }
  return text;
}
