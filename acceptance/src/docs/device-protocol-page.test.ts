import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_STATUS, operations } from '@tps/contract';
import { expect, test } from 'vitest';
import { errorCodesOf } from '../../../packages/contract/src/openapi/error-codes.ts';
import type { SigningVectors } from '../../../scripts/src/signing-vectors/vectors.ts';

const DOCS = join(import.meta.dirname, '../../../docs');
const read = (name: string) => readFileSync(join(DOCS, name), 'utf8');
const vectors = JSON.parse(read('signing-vectors.json')) as SigningVectors;

test('docs/signing-requests.md quotes a request of the vectors', () => {
  const request = vectors.requests.find(({ name }) => name === 'event with ed25519');
  if (request === undefined) throw new Error('the vectors have no such request');
  const { headers, signatures, body } = request;
  const quoted = [
    [
      'POST /events HTTP/1.1',
      'Authorization: Bearer svc_live_…',
      'Content-Type: application/json',
      `Content-Digest: ${headers['content-digest']}`,
      `Signature-Input: ${headers['signature-input']}`,
      `Signature: ${headers.signature}`,
      '',
      body,
    ].join('\n'),
    headers['signature-input'].replace('tps=', ''),
    signatures[0]?.base,
  ];
  const blocks = [...read('signing-requests.md').matchAll(/^```\w*\n([\s\S]*?)\n```$/gm)];
  expect(blocks.map(([, block]) => block)).toEqual(expect.arrayContaining(quoted));
});

test('the page about the protocol lists each error that a device can get, with its status', () => {
  const open = operations.filter(({ openTo }) => openTo !== undefined);
  expect(open.length).toBeGreaterThan(10);
  const codes = new Set(open.flatMap((operation) => errorCodesOf(operation)));
  const rows = [...read('device-protocol.md').matchAll(/^\| (\d{3}) +\| `(\w+)` +\| \S/gm)];
  const listed = rows.map(([, status, code]) => `${status} ${code}`);
  expect(listed.toSorted()).toEqual([...codes].map((code) => `${ERROR_STATUS[code]} ${code}`).toSorted());
});

test('the page about the protocol names every state of a chain that the vectors have', () => {
  const page = read('device-protocol.md');
  const states = new Set(vectors.device_chain.map(({ state }) => state));
  states.delete('unchained');
  expect([...states].filter((state) => !page.includes(`\`${state}\``))).toEqual([]);
});
