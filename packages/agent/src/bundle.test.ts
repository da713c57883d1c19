import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';
import { expect, test } from 'vitest';

const GLOBALS_OF_NODE = /(?<![\w$.'"`])(?:Buffer|process)\.\w+/g;
const PAGE = readFileSync(new URL('../../../docs/browsers.md', import.meta.url), 'utf8');
const MODELS = new URL('../../detection/models/redistributable.tpsm', import.meta.url);
const MAX_CORE_KILOBYTES = 60;
/** Word lists grow a little with most changes of detection. */
const TOLERANCE = 0.05;

/** Bundles a module for a browser without polyfills. Fails when it imports anything of Node. */
async function bundle(contents: string, options: BuildOptions = {}) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: import.meta.dirname, sourcefile: 'app.ts', loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['source'],
    splitting: true,
    outdir: '/',
    entryNames: 'app',
    logLevel: 'silent',
    ...options,
    metafile: true,
    write: false,
  });
  const files = new Map(outputFiles.map((file) => [basename(file.path), file]));
  const entry = Object.entries(metafile.outputs).find(([path]) => basename(path) === 'app.js')?.[1];
  const withIt = (entry?.imports ?? []).filter(({ kind }) => kind === 'import-statement');
  const atOnce = new Set(['app.js', ...withIt.map(({ path }) => basename(path))]);
  const sizeOf = (isCounted: (name: string) => boolean) =>
    [...files].reduce((sum, [name, { contents: code }]) => sum + (isCounted(name) ? kilobytes(code) : 0), 0);
  return {
    texts: outputFiles.map(({ text }) => text),
    /** What the page loads at first, and what it loads later. */
    atOnce: sizeOf((name) => atOnce.has(name)),
    later: sizeOf((name) => !atOnce.has(name)),
  };
}

function kilobytes(content: Uint8Array): number {
  return gzipSync(content, { level: 9 }).byteLength / 1000;
}

/** The size that the page states for a part. */
function documented(part: string): number {
  const row = PAGE.split('\n').find((line) => line.startsWith(`| ${part}`));
  return Number(/\| (\d+) kB/.exec(row ?? '')?.[1]);
}

test.each([
  ['@tps/signatures', {}],
  ['@tps/detection', {}],
  ['@tps/detection/indicators', {}],
  ['@tps/agent/core', {}],
  ['@tps/agent/browser', {}],
  // As Metro resolves packages for React Native.
  ['@tps/agent/core', { platform: 'neutral', conditions: ['source', 'react-native'], mainFields: ['main'] }],
] satisfies [string, BuildOptions][])('%s bundles without Node: %j', async (name, options) => {
  const { texts } = await bundle(`export * from '${name}';`, options);
  expect(texts.flatMap((text) => text.match(GLOBALS_OF_NODE) ?? [])).toEqual([]);
});

test('the examples of docs/browsers.md bundle, and the sizes are those of the page', async () => {
  const examples = [...PAGE.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = '']) => code);
  expect(examples).toHaveLength(2);
  const [agent, ...others] = await Promise.all(examples.map((code) => bundle(code)));
  for (const { texts } of others) expect(texts.length).toBeGreaterThan(0);
  const [signatures, detection] = await Promise.all(
    ['@tps/signatures', '@tps/detection'].map((name) => bundle(`export * from '${name}';`)),
  );
  const sizes = {
    '`@tps/agent/browser`': agent?.atOnce ?? 0,
    'Redaction, cues, indicators, explanations': agent?.later ?? 0,
    'The models for texts and links': kilobytes(readFileSync(MODELS)),
    '`@tps/signatures` alone': signatures?.atOnce ?? 0,
    '`@tps/detection` alone': detection?.atOnce ?? 0,
  };
  for (const [part, size] of Object.entries(sizes)) {
    process.stdout.write(`${size.toFixed(1)} kB  ${part}\n`);
    const stated = documented(part);
    expect(Math.abs(size - stated), part).toBeLessThan(Math.max(2, stated * TOLERANCE));
  }
  expect(agent?.atOnce).toBeLessThan(MAX_CORE_KILOBYTES);
});
