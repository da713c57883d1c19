import type { LookupAddress } from 'node:dns';
import { isIPv6, type LookupFunction, type Socket } from 'node:net';
import { createSecureContext, rootCertificates } from 'node:tls';
import { buildConnector } from 'undici';
import type { ResolveHost } from './resolve-host.ts';
import { TargetRejectedError } from './target-rejected-error.ts';

/** A connection that took too long, from the name lookup to the end of the TLS handshake. */
export class ConnectTimeoutError extends Error {
  override readonly name = 'ConnectTimeoutError';
}

export type VettedConnectorOptions = {
  readonly resolve: ResolveHost;
  readonly isAllowed: (address: string) => boolean;
  readonly connectMs: number;
  readonly ca: string | undefined;
};

export interface VettedConnector {
  readonly connect: buildConnector.connector;
  /** Aborts the connections that are not established yet. */
  abandon(): void;
}

/**
 * Returns every address of a host, provided that all are allowed. One forbidden address rejects the host: which one
 * would be used is chance, and mixing both suggests an attack.
 * @throws TargetRejectedError, HostUnresolvedError
 */
export async function resolveVetted(
  hostname: string,
  { resolve, isAllowed }: Pick<VettedConnectorOptions, 'resolve' | 'isAllowed'>,
): Promise<readonly string[]> {
  const addresses = await resolve(hostname);
  if (!addresses.every(isAllowed)) throw notPublic();
  return addresses;
}

/**
 * Creates a connector that connects only to allowed addresses, checked when the name is resolved and again on the
 * connected socket before the first byte. Node does no lookup when the host is an address: the caller must check
 * that one.
 */
export function createVettedConnector(options: VettedConnectorOptions): VettedConnector {
  const { isAllowed, connectMs, ca } = options;
  const underWay = new Set<Socket>();
  const connect = buildConnector({
    allowH2: true,
    // undici's timer is too coarse and starts after the lookup: the timer below replaces it.
    timeout: 0,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 500,
    lookup: vettedLookup(options),
    // Created once: reading 150 root certificates for each connection would cost more than the handshake.
    secureContext: createSecureContext(ca === undefined ? {} : { ca: withPublicRoots(ca) }),
    // Even if NODE_TLS_REJECT_UNAUTHORIZED says otherwise.
    rejectUnauthorized: true,
  });
  const vetted: buildConnector.connector = (target, callback) => {
    let timer: NodeJS.Timeout | undefined;
    let refused: TargetRejectedError | undefined;
    // undici's type says it returns nothing; it returns the socket, and the checks below fail loudly if that
    // changes.
    const socket = connect(target, (...result) => {
      clearTimeout(timer);
      underWay.delete(socket);
      // undici still reports success for a socket that was destroyed just now.
      if (refused) callback(refused, null);
      else callback(...result);
    }) as unknown as Socket;
    underWay.add(socket);
    timer = setTimeout(() => socket.destroy(new ConnectTimeoutError()), connectMs);
    // Must come before the listener that starts the TLS handshake.
    socket.prependOnceListener('connect', () => {
      if (isAllowed(socket.remoteAddress ?? '')) return;
      refused = notPublic();
      socket.destroy(refused);
    });
  };
  const abandon = () => {
    for (const socket of underWay) socket.destroy(new ConnectTimeoutError());
  };
  return { connect: vetted, abandon };
}

/** Private authorities are trusted in addition to the public ones, not instead of them. */
export function withPublicRoots(ca: string): string[] {
  return [...rootCertificates, ca];
}

function vettedLookup(options: VettedConnectorOptions): LookupFunction {
  // With autoSelectFamily Node always asks for all addresses.
  return (hostname, _, callback) => {
    resolveVetted(hostname, options).then(
      (addresses) => callback(null, addresses.map(toLookupAddress)),
      (error: Error) => callback(error, []),
    );
  };
}

function toLookupAddress(address: string): LookupAddress {
  return { address, family: isIPv6(address) ? 6 : 4 };
}

function notPublic(): TargetRejectedError {
  return new TargetRejectedError('the host of the URL has an address that is not public');
}
