import { assertWithin } from '../webhook-body.ts';

/** Assembles a body from its chunks. Never holds more than the limit. */
export interface BodyCollector {
  /** @throws WebhookVerificationError `body_too_large` */
  add(piece: Uint8Array): void;
  toBytes(): Uint8Array;
}

export function createBodyCollector(limitBytes: number): BodyCollector {
  const pieces: Uint8Array[] = [];
  let lengthBytes = 0;
  return {
    add: (piece) => {
      lengthBytes += piece.byteLength;
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
