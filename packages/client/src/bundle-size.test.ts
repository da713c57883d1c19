import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const SOURCES = dirname(fileURLToPath(import.meta.url));
const PAGE = readFileSync(new URL('../../../docs/client.md', import.meta.url), 'utf8');

/** Bundles what a browser has to load for some names of the package. */
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

test('who only verifies webhooks loads none of the calls', async () => {
  const { files, kilobytes } = await bundle('verifyWebhook');
  const elsewhere = files.filter((file) => !file.includes('/webhooks/') && !file.includes('<stdin>'));
  expect(elsewhere).toEqual([]);
  expect(Math.abs(kilobytes - documented('verifyWebhook'))).toBeLessThan(0.5);
});

test('who only calls loads no webhook code, and all calls weigh what the page says', async () => {
  const { files, kilobytes } = await bundle('createClient');
  expect(files.filter((file) => file.includes('src/webhooks/'))).toEqual([]);
  expect(Math.abs(kilobytes - documented('createClient'))).toBeLessThan(0.5);
});
