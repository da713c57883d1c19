import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createYaraScanner } from './yara-scanner.ts';

const RULES = `
private rule helper { strings: $a = "marker" condition: $a }
rule names_a_marker { strings: $a = "marker-of-a-test" condition: helper and $a }
rule counts { condition: filesize > 10MB }
`;
const NEVER = new AbortController().signal;
const DATA = process.env.TPS_SCAN_DATA;

const scanner = createYaraScanner(RULES);
afterAll(() => scanner.close());

describe('the YARA scanner', () => {
  it('returns each matching rule once, without private rules', async () => {
    const bytes = new TextEncoder().encode('marker-of-a-test '.repeat(1000));
    expect(await scanner.scan(bytes, NEVER)).toEqual([
      expect.objectContaining({
        detector: 'yara',
        threatType: 'malware',
        evidence: 'a match of the YARA rule names_a_marker',
        minimumVerdict: 'block',
      }),
    ]);
  });

  it('returns no finding if no rule matches', async () => {
    expect(await scanner.scan(new TextEncoder().encode('words'), NEVER)).toEqual([]);
  });

  it('rejects rules that do not compile when it is created', () => {
    expect(() => createYaraScanner('rule broken { condition: }')).toThrow();
  });

  it('does not start if the scan was already aborted', async () => {
    await expect(scanner.scan(new Uint8Array(1), AbortSignal.abort())).rejects.toThrow();
  });

  it.skipIf(DATA === undefined)('compiles a real rule set', async () => {
    const rules = readFileSync(join(DATA ?? '', 'indicators/stalkerware/rules.yar'), 'utf8');
    const stalkerware = createYaraScanner(rules);
    expect(await stalkerware.scan(new Uint8Array(1000), NEVER)).toEqual([]);
    stalkerware.close();
  });
});
