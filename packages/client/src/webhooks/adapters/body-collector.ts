import { assertWithin } from '../webhook-body.ts';

/** Puts a body together from its pieces and never holds more than the limit. */
export interface BodyCollector {
  /** @throws WebhookVerificationError `body_too_large`; what was collected is given up */
  add(piece: Uint8Array): void;
  toBytes(): Uint8Array;
}

export function createBodyCollector(limitBytes: number): BodyCollector {
  let pieces: Uint8Array[] = [];
  let lengthBytes = 0;
  return {
    add: (piece) => {
      lengthBytes += piece.byteLength;
      if (lengthBytes > limitBytes) pieces = [];
      assertWithin(lengthBytes, limitBytes);
      pieces.push(piece);
    },
    toBytes: () => {
      const bytes = new Uint8Array(lengthBytes);
      let offset = 0;
      for (const piece of pieces) {
        bytes.set(piece, offset);
        offset += piece.byteLength;
      }
      return bytes;
    },
  };
}
