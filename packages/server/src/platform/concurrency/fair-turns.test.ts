import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { FairTurns } from './fair-turns.ts';

/** A turn without time ends after each step, so that the order of steps shows. */
const oneStepPerTurn = () => new FairTurns(0);
const forever = () => new FairTurns(60_000);

describe('while there is time', () => {
  test('work runs immediately, and its result or error is returned', async () => {
    const turns = forever();
    let hasRun = false;
    const result = turns.run('a', () => {
      hasRun = true;
      return 7;
    });
    expect(hasRun).toBe(true);
    expect(await result).toBe(7);
    await expect(
      turns.run('a', () => {
        throw new Error('as thrown');
      }),
    ).rejects.toThrow('as thrown');
  });

  test('each item is worked on once, in order', async () => {
    expect(await forever().runEach('a', ['x', 'y'], (item, index) => item + index)).toEqual(['x0', 'y1']);
    expect(await forever().runEach('a', [], () => 1)).toEqual([]);
  });
});

describe('when the time of a turn is used up', () => {
  test('other callbacks of the event loop run between two steps', async () => {
    const steps: string[] = [];
    const work = oneStepPerTurn().runEach('a', [1, 2, 3], (item) => steps.push(`step ${item}`));
    const other = (async () => {
      for (let turn = 1; turn <= 3; turn += 1) {
        await nextTurn();
        steps.push(`turn ${turn}`);
      }
    })();
    await Promise.all([work, other]);
    expect(steps.indexOf('turn 1')).toBeLessThan(steps.indexOf('step 3'));
  });

  test('work that pauses gives way to other tenants, and its result or error is returned', async () => {
    const turns = oneStepPerTurn();
    const steps: string[] = [];
    function* pausing(name: string) {
      for (let step = 1; step <= 3; step += 1) {
        steps.push(`${name}${step}`);
        yield;
      }
      return name;
    }
    function* failing() {
      yield;
      throw new Error('as thrown');
    }
    const all = [turns.runSteps('a', pausing('a')), turns.runSteps('b', pausing('b'))];
    await expect(turns.runSteps('c', failing())).rejects.toThrow('as thrown');
    expect(await Promise.all(all)).toEqual(['a', 'b']);
    // The first step ran at once.
    expect(steps).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'b3']);
  });

  test('tenants take turns, however much one of them has', async () => {
    const turns = oneStepPerTurn();
    const steps: string[] = [];
    const step = (name: string) => steps.push(name);
    const many = Array.from({ length: 20 }, () => turns.runEach('a', [1, 2, 3, 4, 5], () => step('a')));
    const few = turns.runEach('b', [1, 2], () => step('b'));
    await few;
    expect(steps.filter((name) => name === 'a').length).toBeLessThanOrEqual(5);
    await Promise.all(many);
    expect(steps).toHaveLength(102);
  });

  test('an error ends the work of its caller only', async () => {
    const turns = oneStepPerTurn();
    const worked: number[] = [];
    const failing = turns.runEach('a', [1, 2, 3], (item) => {
      worked.push(item);
      if (item === 2) throw new Error('on the second');
    });
    const other = turns.runEach('a', [4, 5], (item) => worked.push(item));
    await expect(failing).rejects.toThrow('on the second');
    await other;
    expect(worked).toEqual([1, 2, 4, 5]);
  });
});
