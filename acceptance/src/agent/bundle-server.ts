import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

export const AGENT = fileURLToPath(new URL('../../../packages/agent/src', import.meta.url));
const MODELS = fileURLToPath(
  new URL('../../../packages/detection/models/redistributable.tpsm', import.meta.url),
);

/** The modules of an application for browsers, by path. */
type Files = ReadonlyMap<string, Uint8Array>;

/** Bundles an application for browsers as docs/browsers.md shows: no polyfills, nothing of Node. */
export async function bundleForBrowser(entry: string, options: BuildOptions = {}): Promise<Files> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: AGENT, sourcefile: 'app.ts', loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    splitting: true,
    platform: 'browser',
    conditions: ['source'],
    outdir: '/',
    entryNames: 'app',
    ...options,
    write: false,
  });
  return new Map(outputFiles.map(({ path, contents }) => [path, contents]));
}

/** Serves a page that runs the modules, and the models. */
export async function serveBundle(files: Files) {
  const server = createServer(({ url = '' }, response) => {
    const content = url === '/models' ? readFileSync(MODELS) : files.get(url);
    if (content !== undefined) {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(content);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>app</title><script type="module" src="/app.js"></script>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
