import { createIndicatorIndex, type Indicator, keysOfUrl } from '../src/indicators.ts';

/** Prints what indicators take in memory and time: `node --conditions=source packages/detection/bench/indicators.ts`. */
const SIZES = [100_000, 1_000_000];
const RUNS = 200_000;
const NOW = Date.now();

for (const size of SIZES) {
  const indicators = Array.from({ length: size }, (_, at) => indicatorAt(at));
  const begun = performance.now();
  const index = createIndicatorIndex(indicators);
  const buildMs = performance.now() - begun;
  const misses = Array.from({ length: 1000 }, (_, at) => keysOfUrl(`https://www.shop-${at}.example/a/b?c=1`));
  const hits = Array.from({ length: 1000 }, (_, at) => keysOfUrl(`https://login.secure-${at}-pay.example/`));
  process.stdout.write(
    `${size} indicators: built in ${buildMs.toFixed(0)} ms, ${(index.sizeBytes / size).toFixed(0)} bytes each, ` +
      `an address in ${nanosecondsOf(misses, index.find).toFixed(0)} ns (${nanosecondsOf(hits, index.find).toFixed(0)} ns when listed), ` +
      `its keys in ${nanosecondsOf([0], () => keysOfUrl('https://www.shop.example/a/b?c=1')).toFixed(0)} ns\n`,
  );
}

function indicatorAt(at: number): Indicator {
  const value = `secure-${at}-pay.example`;
  const common = { source: 'list', category: 'phishing', threatType: 'known_indicator' } as const;
  return { type: 'domain', value, confidence: 0.9, ...common };
}

function nanosecondsOf<Item>(items: readonly Item[], run: (item: Item, nowMs: number) => unknown): number {
  const go = () => {
    for (let at = 0; at < RUNS; at += 1) run(items[at % items.length] as Item, NOW);
  };
  go();
  const begun = performance.now();
  go();
  return ((performance.now() - begun) / RUNS) * 1e6;
}
