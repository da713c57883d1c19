import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The files of the first load, in the order in which they are needed. Each holds what it names, and what that imports. */
const FIRST_FILES = [
  // Exchanges the session before anything else is there, and styles the page.
  { name: 'main', test: /index\.html|src\/(?:main|session\/(?:exchange-session|site))\.|\.css$/ },
  // Reads the data of the page while React is on its way.
  {
    name: 'start',
    test: /node_modules\/(?:react|@tabler|openapi-fetch|@tanstack\/query-core)\/|packages\/(?:client|contract)\/|src\/session\/|src\/app\/(?:start|console-parts|match-page|pages|preload-pages|load-page|query-client|when-idle)\.|preload-helper/,
  },
  { name: 'first-load', test: /./ },
];

export default defineConfig({
  // The service may be behind a path prefix, so that addresses of files are relative. It completes those in index.html.
  base: './',
  plugins: [react(), preloadFirstFiles(), hintAndCompress()],
  resolve: { conditions: ['source', 'module', 'browser', 'production', 'default'] },
  build: {
    target: 'es2023',
    manifest: true,
    // The release lists what the files contain.
    license: { fileName: '.vite/license.json' },
    // The policy of the page allows no `data:` addresses for scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      // With the second entry, `$initial` means exactly the modules of the first load. No page loads its file.
      input: ['index.html', 'src/app/first-load.ts'],
      output: {
        // A shared file is named after every page that shares it.
        chunkFileNames: ({ name }) => `assets/${name.split('~', 1)[0]}-[hash].js`,
        codeSplitting: {
          // Without groups, the first load has 71 files, and a browser fetches six at a time.
          groups: [
            ...FIRST_FILES.map((file, index) => ({
              ...file,
              tags: ['$initial' as const],
              priority: 9 - index,
            })),
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 20_000 },
          ],
        },
      },
    },
  },
});

/** Each of the first files imports the next while it runs. The page names all, so that they arrive together. */
function preloadFirstFiles(): Plugin {
  return {
    name: 'preload-first-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const toTag = (name: string) => {
          const chunk = chunks.find((one) => one.name === name);
          if (!chunk) throw new Error(`the file ${name} is missing`);
          const attrs = { rel: 'modulepreload', crossorigin: true, href: `./${chunk.fileName}` };
          return { tag: 'link', attrs, injectTo: 'head' as const };
        };
        return {
          // Without `async`, a script waits for the style sheets.
          html: html.replace('<script type="module"', '<script type="module" async'),
          tags: ['rolldown-runtime', 'start', 'first-load'].map(toTag),
        };
      },
    },
  };
}

/** Nearly all of these runs at once: a browser that knows the hint compiles them beside the page, while they arrive. */
const RUNS_AT_ONCE = /\/(?:start|first-load)-[\w-]{8}\.js$/;

/** Writes the hint, and compresses the files once, so that the service only chooses. */
function hintAndCompress(): Plugin {
  return {
    name: 'hint-and-compress',
    apply: 'build',
    async writeBundle({ dir = 'dist' }) {
      const names = await readdir(dir, { recursive: true });
      const texts = names.filter((name) => /\.(?:js|css|svg)$/.test(name));
      await Promise.all(
        texts.map(async (name) => {
          const path = join(dir, name);
          const hint = RUNS_AT_ONCE.test(path) ? '//# allFunctionsCalledOnLoad\n' : '';
          const content = `${hint}${await readFile(path, 'utf8')}`;
          if (hint !== '') await writeFile(path, content);
          await writeFile(`${path}.br`, await promisify(brotliCompress)(content));
          await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
        }),
      );
    },
  };
}
