import { type BuildOptions, build } from 'esbuild';
import { expect, test } from 'vitest';

const GLOBALS_OF_NODE = /(?<![\w$.'"`])(?:Buffer|process)\.\w+/g;

/** Bundles a module for a browser without polyfills. Fails when it imports anything of Node. */
async function bundle(contents: string, options: BuildOptions = {}) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['source'],
    splitting: true,
    outdir: '/',
    logLevel: 'silent',
    ...options,
    write: false,
  });
  return outputFiles.map(({ text }) => text);
}

test.each([
  ['@tps/signatures', {}],
  ['@tps/detection', {}],
  ['@tps/detection/indicators', {}],
  ['@tps/agent/core', {}],
  // As Metro resolves packages for React Native.
  ['@tps/agent/core', { platform: 'neutral', conditions: ['source', 'react-native'], mainFields: ['main'] }],
] satisfies [string, BuildOptions][])('%s bundles without Node: %j', async (name, options) => {
  const texts = await bundle(`export * from '${name}';`, options);
  expect(texts.flatMap((text) => text.match(GLOBALS_OF_NODE) ?? [])).toEqual([]);
});
