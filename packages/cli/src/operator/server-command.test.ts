import { describe, expect, test } from 'vitest';
import { ClosedOutputError, type Output } from '../output/output.ts';
import { runServerCommand } from './server-command.ts';

function output(write: Output['write']): Output {
  return { isTerminal: false, columns: undefined, write };
}

const open = output(async () => undefined);
const closed = output(() => Promise.reject(new ClosedOutputError()));

describe('a command whose reader is gone', () => {
  test('keeps its exit code if it failed', async () => {
    const context = { stdout: open, stderr: closed, env: {} };
    expect(await runServerCommand(['tenants', 'set-limit', 'tnt_x', 'many'], context)).toBe(2);
  });

  test('reports the closed output if it succeeded', async () => {
    const context = { stdout: closed, stderr: open, env: {} };
    await expect(runServerCommand(['--version'], context)).rejects.toThrow(ClosedOutputError);
  });
});
