import { useChromium } from '@tps/testing/browser';
import { openConsole } from '@tps/testing/console';
import { useTestService } from '@tps/testing/service';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

const service = useTestService();
const chromium = useChromium();

test('the arrow keys choose a filter, and a click its value; the focus stays in the field', async () => {
  const { page, field } = await openField();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => chosen(page)).toEqual(['Severity']);
  await page.keyboard.press('Enter');
  expect(await field.inputValue()).toBe('Severity: ');
  expect(await chosen(page)).toEqual([]);
  await page.getByRole('option', { name: 'Severity is Critical' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('severity')).toBe('critical');
  expect(await field.inputValue()).toBe('');
  expect(await field.evaluate((node) => node.matches(':focus'))).toBe(true);
  expect(await page.getByRole('listbox').count()).toBe(0);
});

test('the field names the suggestion that Enter takes, and reports that none matches', async () => {
  const { page, field } = await openField();
  await page.keyboard.type('not high');
  const option = page.getByRole('option', { name: 'Severity is not High' });
  await option.waitFor();
  expect(await field.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'));
  expect(await field.getAttribute('aria-controls')).toBe(await page.getByRole('listbox').getAttribute('id'));
  await field.fill('severity:zzz');
  await page.getByText('Type a value').waitFor();
  await page.keyboard.press('Escape');
  expect(await field.getAttribute('aria-expanded')).toBe('false');
  expect(await field.inputValue()).toBe('');
});

test('the Enter that ends a composition takes no suggestion, also in Safari', async () => {
  const { page, field } = await openField();
  await page.keyboard.type('severity');
  await expect.poll(() => chosen(page)).toEqual(['Severity']);
  // Safari sends the key after the end of the composition, with this code.
  await field.dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
  expect(await field.inputValue()).toBe('severity');
  await field.dispatchEvent('keydown', { key: 'Enter', keyCode: 13 });
  expect(await field.inputValue()).toBe('Severity: ');
});

test('the suggestions fit on a narrow screen', async () => {
  const { page } = await openField({ width: 360 });
  const box = await page.getByRole('listbox').boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
  const width = () => page.evaluate<number>('document.documentElement.scrollWidth');
  const opened = await width();
  await page.keyboard.press('Escape');
  expect(opened).toBe(await width());
});

test('on a low screen, the chosen suggestion is in view, also when the choice begins again', async () => {
  const { page } = await openField({ height: 300 });
  const list = page.getByRole('listbox');
  const isInView = () =>
    list.evaluate((node) => {
      const [inside, option] = [node, node.querySelector('[aria-selected=true]')].map((each) =>
        each?.getBoundingClientRect(),
      );
      return inside && option && option.top >= inside.top && option.bottom <= inside.bottom;
    });
  const options = page.getByRole('option');
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => chosen(page)).toEqual([await options.last().textContent()]);
  expect(await list.evaluate((node) => node.scrollTop)).toBeGreaterThan(0);
  expect(await isInView()).toBe(true);
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => chosen(page)).toEqual([await options.first().textContent()]);
  expect(await isInView()).toBe(true);
});

/** Opens a list with the focus in its filter field. */
async function openField({ width = 1280, height = 800 } = {}) {
  const { page } = await openConsole(service, chromium, {
    path: '/events',
    context: { viewport: { width, height } },
  });
  const field = page.getByRole('combobox', { name: 'Filter events' });
  await field.focus();
  await page.getByRole('listbox').waitFor();
  return { page, field };
}

function chosen(page: Page): Promise<string[]> {
  return page.locator('[role=option][aria-selected=true]').allTextContents();
}
