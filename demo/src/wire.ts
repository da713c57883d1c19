type Fetch = typeof globalThis.fetch;

/** The way between a device and the service, with somebody on it. */
export interface Wire {
  readonly fetch: Fetch;
  /** Changes one byte of the next body, after the device has signed it. */
  tamperWithNext(): void;
  /** Sends the last request once more as it was, signature and all, and gives status and error code of the answer. */
  replayLast(): Promise<{ status: number; code: string | undefined }>;
}

export function createWire(): Wire {
  let isTampering = false;
  let last: Parameters<Fetch> | undefined;
  return {
    fetch(url, init) {
      const body = isTampering && init?.body instanceof Uint8Array ? changeOneByte(init.body) : init?.body;
      isTampering = false;
      last = [url, { ...init, ...(body ? { body } : {}) }];
      return fetch(...last);
    },
    tamperWithNext() {
      isTampering = true;
    },
    async replayLast() {
      if (!last) throw new Error('There is no request to repeat.');
      const [url, init] = last;
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) });
      const body = (await response.json()) as { error?: { code?: string } };
      return { status: response.status, code: body.error?.code };
    },
  };
}

/** Another digit for the first one, so that the body stays well-formed JSON. */
function changeOneByte(body: Uint8Array): Uint8Array<ArrayBuffer> {
  const changed = Uint8Array.from(body);
  const at = changed.findIndex((byte) => byte >= 0x30 && byte <= 0x38);
  const digit = changed[at];
  if (digit !== undefined) changed[at] = digit + 1;
  return changed;
}
