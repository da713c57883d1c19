import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A key and a certificate in PEM. */
export type CertificatePair = { readonly key: string; readonly cert: string };

export interface TestAuthority {
  /** The authority's own certificate in PEM, to be trusted. */
  readonly ca: string;
  /**
   * Issues a certificate (default: for `IP:127.0.0.1` and 90 days). With negative days it has expired.
   * `names` has the syntax of openssl: `DNS:hooks.test,IP:127.0.0.1`.
   */
  issue(options?: { readonly names?: string; readonly days?: number }): CertificatePair;
  remove(): void;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** Creates a certificate authority that no system trusts. Its files stay in a temporary folder until `remove()`. */
export function createTestAuthority(): TestAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'tps-ca-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const files = ['-keyout', 'ca.key', '-out', 'ca.crt'];
  openssl('req', '-x509', ...KEY, ...files, '-days', '90', '-subj', '/CN=test-ca');
  return {
    ca: read('ca.crt'),
    issue({ names = 'IP:127.0.0.1', days = 90 } = {}) {
      const subject = ['-subj', '/CN=receiver', '-addext', `subjectAltName=${names}`];
      openssl('req', '-new', ...KEY, '-keyout', 'leaf.key', '-out', 'leaf.csr', ...subject);
      const issuer = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-copy_extensions', 'copy'];
      openssl('x509', '-req', '-in', 'leaf.csr', '-out', 'leaf.crt', '-days', String(days), ...issuer);
      return { key: read('leaf.key'), cert: read('leaf.crt') };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
