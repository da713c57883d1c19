import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const SOURCES = dirname(fileURLToPath(import.meta.url));
const PAGE = readFileSync(new URL('../../../docs/client.md', import.meta.url), 'utf8');

/** Bundles what a browser must load for some exports of the package. */
async function bundle(names: string) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: `export { ${names} } from './index.ts';`, resolveDir: SOURCES },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    metafile: true,
    write: false,
  });
  const [output] = Object.values(metafile.outputs);
  const kept = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  return { files: kept.map(([file]) => file), kilobytes: gzipSync(code).byteLength / 1000 };
}

function documented(names: string): number {
  const row = PAGE.split('\n').find((line) => line.startsWith(`| \`${names}\` `));
  return Number(/([\d.]+) kB/.exec(row ?? '')?.[1]);
}

test('a program that only verifies webhooks does not load the calls', async () => {
  const { files, kilobytes } = await bundle('verifyWebhook');
  const elsewhere = files.filter((file) => !file.includes('/webhooks/') && !file.includes('<stdin>'));
  expect(elsewhere).toEqual([]);
  expect(Math.abs(kilobytes - documented('verifyWebhook'))).toBeLessThan(0.5);
});

test('the client loads no webhook code, and its size is the one in docs/client.md', async () => {
  const { files, kilobytes } = await bundle('createClient');
  expect(files.filter((file) => file.includes('src/webhooks/'))).toEqual([]);
  expect(Math.abs(kilobytes - documented('createClient'))).toBeLessThan(0.5);
});
