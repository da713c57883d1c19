const EVERY_MS = 2_000;

/** Makes something that writes a line for whoever waits, now and then, beside what the command prints. */
export function reportNowAndThen(): (line: string) => void {
  let reportedAtMs = performance.now();
  return (line) => {
    if (performance.now() - reportedAtMs < EVERY_MS) return;
    reportedAtMs = performance.now();
    process.stderr.write(`${line}\n`);
  };
}
