#!/usr/bin/env -S node --conditions=source --disable-warning=ExperimentalWarning --max-semi-space-size=8 --
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`tps needs Node.js 22.18 or newer. This is ${process.version}.\n`);
  process.exit(1);
}
const { keepCompiledCode } = await import('@tps/server/compile-cache');
keepCompiledCode();
await import('../src/main.ts');
