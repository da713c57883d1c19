import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a self-signed certificate and its key. With -1 days it expired yesterday. */
export function issueCertificate({ names = 'IP:127.0.0.1', days = 90 } = {}): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'tps-certificate-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  try {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key'];
    openssl(
      'req',
      '-new',
      ...key,
      '-out',
      'csr',
      '-subj',
      '/CN=doctor',
      '-addext',
      `subjectAltName=${names}`,
    );
    const signing = ['-signkey', 'key', '-copy_extensions', 'copy', '-days', String(days)];
    openssl('x509', '-req', '-in', 'csr', '-out', 'cert', ...signing);
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    return { key: read('key'), cert: read('cert') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
