import { connect } from 'node:net';
import { useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';

const service = useTestService({ env: { SERVICE_HEADER_TIMEOUT_SECONDS: '1' } });

/** Sends raw text and returns everything received until the service closes. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1', () => socket.write(text));
    socket.setEncoding('utf8').on('data', (chunk) => {
      answer += chunk;
    });
    socket.once('close', () => resolve(answer)).once('error', reject);
  });
}

test.each([
  ['malformed HTTP', 'this is not HTTP\r\n\r\n', 'not well-formed'],
  ['an unfinished header', 'GET /status HTTP/1.1\r\nhost: x\r\n', 'too long to arrive'],
])('%s gets an error with the headers of every other response', async (_what, text, reason) => {
  const usual = await fetch(`${service.baseUrl}/nothing`);
  const [head = '', body = ''] = (await sendRaw(text)).split('\r\n\r\n');
  const [status, ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]));
  expect(status).toBe('HTTP/1.1 400 Bad Request');
  expect(JSON.parse(body)).toEqual({
    error: { code: 'invalid_parameter', status: 400, message: expect.stringContaining(reason) },
  });
  expect(headers.get('x-request-id')).toMatch(/^req_[A-Za-z0-9_-]{12}$/);
  expect(headers.get('connection')).toBe('close');
  for (const [name, value] of usual.headers) {
    if (/^(date|connection|keep-alive|content-length|x-request-id|x-ratelimit-.*)$/.test(name)) continue;
    expect(headers.get(name), name).toBe(value);
  }
});
