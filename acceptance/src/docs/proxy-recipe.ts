import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newFolder } from '@tps/testing/fixture';
import type { CertificatePair } from '@tps/testing/network';
import { type DebianServer, startDebianServer } from '@tps/testing/process';

const PAGE = fileURLToPath(new URL('../../../docs/reverse-proxies.md', import.meta.url));
const COMMENT_OF_KEPT = /^( *).*# prefix kept: (.*)$/gm;

/** The programs whose recipes are run, by the language of their code blocks. */
export type ProxyProgram = 'nginx' | 'haproxy' | 'caddyfile';

interface ProxyOptions {
  readonly program: ProxyProgram;
  readonly isPrefixKept: boolean;
  readonly pair: CertificatePair;
  readonly port: number;
  readonly servicePort: number;
}

/** Starts a proxy with the recipe of the page. Only host, ports and files differ. */
export function startProxy(options: ProxyOptions): Promise<DebianServer> {
  const { program, pair, port } = options;
  const folder = newFolder();
  const write = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const cert = write('proxy.pem', program === 'haproxy' ? pair.cert + pair.key : pair.cert);
  const key = write('proxy-key.pem', pair.key);
  const recipe = readRecipe(options)
    .replaceAll('/etc/tps/proxy.pem', cert)
    .replaceAll('/etc/tps/proxy-key.pem', key)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${options.servicePort}`);
  switch (program) {
    case 'nginx': {
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (kind) => `${kind}_temp_path ${join(folder, kind)};`,
      );
      const user = process.getuid?.() === 0 ? 'user root;' : '';
      const file = write(
        'nginx.conf',
        `daemon off; ${user} error_log stderr; pid ${join(folder, 'pid')}; events {}
        http { access_log off; ${paths.join(' ')} ${recipe.replace('listen 443', `listen 127.0.0.1:${port}`)} }`,
      );
      return startDebianServer({ name: 'nginx', args: ['-c', file], port });
    }
    case 'haproxy': {
      const file = write('haproxy.cfg', recipe.replace('bind :443', `bind 127.0.0.1:${port}`));
      return startDebianServer({ name: 'haproxy', args: ['-db', '-f', file], port });
    }
    case 'caddyfile': {
      const global = '{\n admin off\n grace_period 1s\n auto_https disable_redirects\n}\n';
      const site = recipe.replace('tps.example.com {', `https://127.0.0.1:${port} {`);
      const file = write('Caddyfile', global + site);
      const args = ['run', '--config', file, '--adapter', 'caddyfile'];
      return startDebianServer({ name: 'caddy', args, port, env: { HOME: folder } });
    }
  }
}

function readRecipe({ program, isPrefixKept }: ProxyOptions): string {
  const block = readFileSync(PAGE, 'utf8').match(new RegExp(`^\`\`\`${program}\n(.*?)^\`\`\``, 'ms'))?.[1];
  if (block === undefined) throw new Error(`the page has no block of ${program}`);
  if (!isPrefixKept) return block.replaceAll(/ *# prefix kept: .*$/gm, '');
  return block.replaceAll(COMMENT_OF_KEPT, (_, indent: string, line: string) =>
    line === '(no line)' ? '' : indent + line,
  );
}
