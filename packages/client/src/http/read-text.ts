import { UnexpectedAnswerError } from '../errors/transport-errors.ts';

/** Reads a whole body as UTF-8. @throws UnexpectedAnswerError `answer_too_large` when it exceeds the limit */
export async function readText(body: ReadableStream<Uint8Array> | null, limitBytes: number): Promise<string> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let lengthBytes = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    lengthBytes += read.value.byteLength;
    if (lengthBytes > limitBytes) {
      await reader.cancel().catch(() => undefined);
      throw new UnexpectedAnswerError(
        'answer_too_large',
        `The answer exceeds ${limitBytes} bytes. Request a smaller page or raise responseLimitBytes.`,
      );
    }
    parts.push(decoder.decode(read.value, { stream: true }));
  }
  parts.push(decoder.decode());
  return parts.join('');
}
