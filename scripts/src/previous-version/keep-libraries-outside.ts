import type { Plugin } from 'esbuild';

/**
 * Keeps libraries out of a bundle, so that it uses those of the checkout that it runs in. Only the packages of the project and
 * those in `bundled` become part of it.
 */
export function keepLibrariesOutside(bundled: readonly string[]): Plugin {
  return {
    name: 'keep-libraries-outside',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
        if (kind === 'entry-point' || path.startsWith('@tps/')) return undefined;
        const name = path
          .split('/')
          .slice(0, path.startsWith('@') ? 2 : 1)
          .join('/');
        return bundled.includes(name) ? undefined : { path, external: true };
      });
    },
  };
}
