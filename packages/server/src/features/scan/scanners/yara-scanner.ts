import { readFileSync } from 'node:fs';
import type { ByteScanner } from '@tps/detection/files';
import { Compiler, initSync, type Rules } from '@virustotal/yara-x';

/** 16 MiB of noise took a fifth of a second against a small rule set; a rule set that needs longer is no good here. */
const TIMEOUT_MS = 1000;
/** What a match says is up to whoever wrote the rule; the operator who configures one vouches for it. */
const CONFIDENCE = 0.9;
const MAX_MATCHES = 10;

interface Match {
  readonly identifier: string;
  readonly isPrivate: boolean;
}

export interface YaraScanner extends ByteScanner {
  /** Frees the memory of the rules, which lies outside that of JavaScript. */
  readonly close: () => void;
}

/**
 * Compiles YARA rules once and scans bytes with them, in WebAssembly. A scan holds its thread until it is done, at most
 * a second. Makes a scanner for one thread: each worker compiles its own.
 *
 * @throws when the rules do not compile; the message says where
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
  // Loading it twice does nothing. By default it would be fetched, which Node does not do for files.
  initSync({ module: readFileSync(new URL('yara_x_js_bg.wasm', import.meta.resolve('@virustotal/yara-x'))) });
  const compiler = new Compiler();
  try {
    compiler.addSource(rulesText);
    return compiler.build();
  } finally {
    compiler.free();
  }
}
