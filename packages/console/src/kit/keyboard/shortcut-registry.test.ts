import { expect, test } from 'vitest';
import { keyOfEvent } from './key-of-event.ts';
import { createShortcutRegistry, type Shortcut } from './shortcut-registry.ts';

const event = {} as KeyboardEvent;

function shortcut(keys: Shortcut['keys'], run: () => unknown, label = String(keys)): Shortcut {
  return { keys, label, group: 'List', run };
}

test.each([
  [{ key: 'j' }, 'j'],
  [{ key: 'X', shiftKey: true }, 'Shift+x'],
  [{ key: '?', shiftKey: true }, '?'],
  [{ key: 'Enter', metaKey: true }, 'Ctrl+Enter'],
  [{ key: 'Escape' }, 'Escape'],
])('the key press %j is %s', (press, name) => {
  expect(keyOfEvent({ ctrlKey: false, altKey: false, metaKey: false, shiftKey: false, ...press })).toBe(name);
});

test('a key runs its shortcut, and others nothing', () => {
  const registry = createShortcutRegistry();
  const pressed: string[] = [];
  registry.add([shortcut('j', () => pressed.push('j'))]);
  expect([registry.press('j', event), registry.press('k', event)]).toEqual([true, false]);
  expect(pressed).toEqual(['j']);
});

test('the shortcut that was added last is asked first, and may pass the key on', () => {
  const registry = createShortcutRegistry();
  const pressed: string[] = [];
  registry.add([shortcut('Escape', () => pressed.push('list'))]);
  const remove = registry.add([
    shortcut('Escape', () => {
      pressed.push('detail');
      return false;
    }),
  ]);
  registry.press('Escape', event);
  remove();
  registry.press('Escape', event);
  expect(pressed).toEqual(['detail', 'list', 'list']);
});

test('an item beside a list is asked before the list, also when the list changes its shortcuts', () => {
  const registry = createShortcutRegistry();
  const pressed: string[] = [];
  registry.add([shortcut('e', () => pressed.push('item'))], 1);
  registry.add([shortcut('e', () => pressed.push('list'))]);
  registry.press('e', event);
  expect(pressed).toEqual(['item']);
});

test('what acts now leaves out what is replaced', () => {
  const registry = createShortcutRegistry();
  const labels = () => registry.active().map(({ label }) => label);
  registry.add([shortcut('e', () => {}, 'Resolve'), shortcut(['j', 'ArrowDown'], () => {}, 'Next')]);
  const remove = registry.add([shortcut('e', () => {}, 'Approve')]);
  expect(labels()).toEqual(['Next', 'Approve']);
  remove();
  expect(labels()).toEqual(['Resolve', 'Next']);
});

test('listeners hear of changes until they leave', () => {
  const registry = createShortcutRegistry();
  let calls = 0;
  const leave = registry.subscribe(() => {
    calls += 1;
  });
  registry.add([shortcut('j', () => {})]);
  leave();
  registry.add([shortcut('k', () => {})]);
  expect(calls).toBe(1);
});
