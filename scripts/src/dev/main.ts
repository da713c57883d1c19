import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createServer, type Plugin } from 'vite';

const HELP = `Usage: npm run dev -- [--port PORT] [--service-port PORT]

Runs the service and the console for development, at one address: http://127.0.0.1:5173/console/
The service starts again when one of its files changes. The browser shows a change of the console at once.
The store is ./data/service.db. Settings are those of npm start, such as SERVICE_DATABASE_URL.

  --port PORT           where the console is, which forwards everything else to the service (default: 5173)
  --service-port PORT   where the service listens (default: 8080)

Example:
  SERVICE_DATABASE_URL=sqlite:./data/dev.db npm run dev
`;

const HOST = '127.0.0.1';
const ROOT = resolve(import.meta.dirname, '../../..');

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '5173' },
    'service-port': { type: 'string', default: '8080' },
    help: { type: 'boolean' },
  },
});
if (values.help) process.stdout.write(HELP);
else await run(portOf('port'), `${HOST}:${portOf('service-port')}`);

function portOf(option: 'port' | 'service-port'): number {
  const port = Number(values[option]);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  process.stderr.write(
    `--${option} must be a number from 1 to 65535. Example: npm run dev -- --${option} 8081\n`,
  );
  process.exit(2);
}

async function run(port: number, bind: string): Promise<void> {
  const origin = `http://${HOST}:${port}`;
  const forwarded = { '^/(?!console/(?!session))': { target: `http://${bind}` } };
  const vite = await createServer({
    root: resolve(ROOT, 'packages/console'),
    configFile: resolve(ROOT, 'packages/console/vite.config.ts'),
    base: '/console/',
    plugins: [fillPage()],
    server: { host: HOST, port, strictPort: true, proxy: forwarded },
  });
  await vite.listen();
  const service = spawn(
    process.execPath,
    ['--watch', '--conditions=source', resolve(ROOT, 'packages/server/src/main.js')],
    { stdio: 'inherit', env: { ...process.env, SERVICE_BIND: bind, SERVICE_BASE_URL: origin } },
  );
  process.stdout.write(`\nThe console with your changes: ${origin}/console/\n\n`);
  let isStopped = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      isStopped = true;
      service.kill(signal);
    });
  }
  service.once('exit', (code) => {
    process.exitCode = isStopped ? 0 : (code ?? 1);
    void vite.close();
  });
}

/** Fills the page in as the service does when it serves the built console. */
function fillPage(): Plugin {
  const values = { PREFIX: '', ACCOUNTS: '/auth', NONCE: '' };
  return {
    name: 'fill-page',
    transformIndexHtml: (html) =>
      Object.entries(values).reduce((text, [name, value]) => text.replace(`__TPS_${name}__`, value), html),
  };
}
