import { readFileSync } from 'node:fs';
import type { ByteScanner } from '@tps/detection/files';
import { Compiler, initSync, type Rules } from '@virustotal/yara-x';

/** 16 MiB of random bytes took 0.2 s with a small rule set. A rule set that needs more than a second is unusable here. */
const TIMEOUT_MS = 1000;
/** The meaning of a match depends on the rule, which the operator has chosen to trust. */
const CONFIDENCE = 0.9;
const MAX_MATCHES = 10;

interface Match {
  readonly identifier: string;
  readonly isPrivate: boolean;
}

export interface YaraScanner extends ByteScanner {
  /** Frees the memory of the rules, which is outside the JavaScript heap. */
  readonly close: () => void;
}

/**
 * Compiles YARA rules once and scans bytes with them, in WebAssembly. A scan blocks its thread for at most a second. The
 * scanner belongs to one thread: each worker compiles its own.
 *
 * @throws Error if the rules do not compile; the message states where
 */
export function createYaraScanner(rulesText: string): YaraScanner {
  const rules = compile(rulesText);
  return {
    name: 'yara',
    async scan(bytes, signal) {
      signal.throwIfAborted();
      const scanner = rules.scanner();
      try {
        scanner.setTimeoutMs(TIMEOUT_MS);
        scanner.setMaxMatchesPerPattern(1);
        const { matches } = scanner.scan(bytes) as { readonly matches: readonly Match[] };
        return matches
          .filter(({ isPrivate }) => !isPrivate)
          .slice(0, MAX_MATCHES)
          .map(({ identifier }) => ({
            detector: 'yara',
            threatType: 'malware',
            category: 'malicious_app',
            confidence: CONFIDENCE,
            evidence: `a match of the YARA rule ${identifier.slice(0, 120)}`,
            minimumVerdict: 'block',
          }));
      } finally {
        scanner.free();
      }
    },
    close: () => rules.free(),
  };
}

function compile(rulesText: string): Rules {
  // A second call does nothing. The default is to fetch the module, which Node does not support for files.
  initSync({ module: readFileSync(new URL('yara_x_js_bg.wasm', import.meta.resolve('@virustotal/yara-x'))) });
  const compiler = new Compiler();
  try {
    compiler.addSource(rulesText);
    return compiler.build();
  } finally {
    compiler.free();
  }
}
