import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A key and a certificate in PEM. */
export type CertificatePair = { readonly key: string; readonly cert: string };

interface CertificateOptions {
  readonly commonName?: string;
  /** In the syntax of openssl: `DNS:hooks.test,IP:127.0.0.1` (default: `IP:127.0.0.1`). */
  readonly names?: string;
  /** Validity from now (default: 90). With negative days the certificate has expired. */
  readonly days?: number;
}

export interface TestAuthority {
  /** The authority's own certificate in PEM, to be trusted. */
  readonly ca: string;
  issue(options?: CertificateOptions): CertificatePair;
  remove(): void;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** Creates a certificate authority that no system trusts. Its files stay in a temporary folder until `remove()`. */
export function createTestAuthority(): TestAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'tps-ca-'));
  const files = ['-keyout', 'ca.key', '-out', 'ca.crt'];
  openssl(folder, 'req', '-x509', ...KEY, ...files, '-days', '90', '-subj', '/CN=test-ca');
  const issuer = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial'];
  return {
    ca: readFileSync(join(folder, 'ca.crt'), 'utf8'),
    issue: (options) => issue(folder, issuer, options),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function issueSelfSigned(options?: CertificateOptions): CertificatePair {
  const folder = mkdtempSync(join(tmpdir(), 'tps-certificate-'));
  try {
    return issue(folder, ['-signkey', 'leaf.key'], options);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function issue(
  folder: string,
  issuer: readonly string[],
  { commonName = 'test', names = 'IP:127.0.0.1', days = 90 }: CertificateOptions = {},
): CertificatePair {
  const subject = ['-subj', `/CN=${commonName}`, '-addext', `subjectAltName=${names}`];
  openssl(folder, 'req', '-new', ...KEY, '-keyout', 'leaf.key', '-out', 'leaf.csr', ...subject);
  const result = ['-out', 'leaf.crt', '-days', String(days), '-copy_extensions', 'copy'];
  openssl(folder, 'x509', '-req', '-in', 'leaf.csr', ...result, ...issuer);
  return {
    key: readFileSync(join(folder, 'leaf.key'), 'utf8'),
    cert: readFileSync(join(folder, 'leaf.crt'), 'utf8'),
  };
}

function openssl(folder: string, ...args: string[]): void {
  execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
}
