import { readFile } from 'node:fs/promises';
import type { Logger } from '../logger.ts';
import { loadTlsContext, type TlsContext, type TlsFiles } from './tls-files.ts';

/** The part of `tls.Server` that matters here. New handshakes use the new context; open connections live on. */
export type SecureServer = { setSecureContext(context: TlsContext): void };

export type TlsWatch = {
  /** Reads the files now, changed or not: what SIGHUP asks for. Logs what it finds and never throws. */
  reload(): void;
  stop(): void;
};

/**
 * Serves a renewed certificate without a restart. It compares the files' contents at an interval instead of waiting for
 * file system events: those are lost on network mounts and across the symbolic link that Kubernetes swaps.
 * A pair that cannot be served is logged, once for each change, and the old one stays. So a renewal that writes one
 * file after the other is harmless: the half-way state does not match and the next look finds the rest.
 */
export function watchTlsFiles(options: {
  server: SecureServer;
  files: TlsFiles;
  /** What the server was started with: a change since then is noticed too. */
  served: TlsContext;
  logger: Logger;
  intervalMs?: number;
}): TlsWatch {
  const { server, files, served, logger, intervalMs = 5_000 } = options;
  let seen = join(served.cert, served.key);
  let isLooking = false;
  let isStopped = false;

  function reload(): void {
    try {
      const { context, warnings } = loadTlsContext(files, Date.now());
      server.setSecureContext(context);
      logger.info({ certFile: files.certFile }, 'the TLS certificate was loaded again');
      for (const warning of warnings) logger.warn(warning);
    } catch (error) {
      logger.error({ err: error }, 'the new TLS certificate cannot be used; the old one stays');
    }
  }

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    const found = join(await readText(files.certFile), await readText(files.keyFile));
    isLooking = false;
    if (found === seen || isStopped) return;
    seen = found;
    reload();
  }

  const timer = setInterval(() => void look(), intervalMs);
  // Watching a certificate is no reason to keep a process alive.
  timer.unref();
  return {
    reload,
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}

/** Never rejects: a file that cannot be read has a text too, so that losing it is a change like any other. */
function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => `unreadable: ${error.code}`);
}

function join(cert: string, key: string): string {
  return `${cert}\0${key}`;
}
