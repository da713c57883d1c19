import { refang as restore } from '../../normalize/refang.ts';

/**
 * Restores defanged URLs, which people write so that they are not opened by mistake:
 * `hxxps[:]//evil[.]example`.
 */
export function refang(value: string): string {
  return restore(value).text;
}
