import { readFile } from 'node:fs/promises';
import type { Logger } from '../logger.ts';
import { loadTlsContext, type TlsContext, type TlsFiles } from './tls-files.ts';

/** The part of `tls.Server` used here. New handshakes use the new context; open connections stay open. */
export type SecureServer = { setSecureContext(context: TlsContext): void };

export type TlsWatch = {
  /** Reloads the files now, changed or not: what SIGHUP asks for. Logs the result and never throws. */
  reload(): void;
  /** What new handshakes get. */
  served(): TlsContext;
  stop(): void;
};

/**
 * Serves a renewed certificate without a restart. It compares the files' contents at an interval instead of waiting
 * for file system events: those are lost on network mounts and across the symbolic link that Kubernetes swaps.
 * An unusable pair is logged, once per change, and the old one stays. So a renewal may write one file after the
 * other: the half-written pair does not match, and the next check finds the rest.
 */
export function watchTlsFiles(options: {
  server: SecureServer;
  files: TlsFiles;
  /** What the server was started with: a change since then is detected too. */
  served: TlsContext;
  logger: Logger;
  intervalMs?: number;
}): TlsWatch {
  const { server, files, logger, intervalMs = 5_000 } = options;
  let { served } = options;
  let seen = join(served.cert, served.key);
  let isChecking = false;
  let isStopped = false;

  function reload(): void {
    try {
      const { context, warnings } = loadTlsContext(files, Date.now());
      server.setSecureContext(context);
      served = context;
      logger.info({ certFile: files.certFile }, 'TLS certificate reloaded');
      for (const warning of warnings) logger.warn(warning);
    } catch (error) {
      logger.error({ err: error }, 'TLS certificate reload failed; still serving the old certificate');
    }
  }

  async function check(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    const found = join(await readText(files.certFile), await readText(files.keyFile));
    isChecking = false;
    if (found === seen || isStopped) return;
    seen = found;
    reload();
  }

  const timer = setInterval(() => void check(), intervalMs);
  // Watching a certificate must not keep the process alive.
  timer.unref();
  return {
    reload,
    served: () => served,
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}

/** Never rejects: an unreadable file yields a text too, so that losing it counts as a change. */
function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => `unreadable: ${error.code}`);
}

function join(cert: string, key: string): string {
  return `${cert}\0${key}`;
}
