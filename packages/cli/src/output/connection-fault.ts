const UNKNOWN_AUTHORITY = 'its certificate comes from an authority that this machine does not know';
const PLAIN_HTTP = 'it speaks plain HTTP: use http:// if that is intended';

/** What keeps a connection from being secure, by the codes of Node and OpenSSL. */
const TLS_FAULTS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  ERR_SSL_WRONG_VERSION_NUMBER: PLAIN_HTTP,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: PLAIN_HTTP,
};

/** Returns the fault of TLS among the causes of an error, as the end of a sentence about the service. */
export function findTlsFault(error: Error): string | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    const fault = TLS_FAULTS[code];
    if (fault !== undefined) return fault;
    if (/^ERR_(SSL|TLS)_/.test(code)) return `the TLS handshake failed (${code})`;
  }
  return undefined;
}
