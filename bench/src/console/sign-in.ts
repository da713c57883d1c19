import type { BrowserContext } from 'playwright-core';

/** Becomes the administrator by the link that the first start printed. Returns the address of the console. */
export async function acceptAdminLink(context: BrowserContext, adminLink: string): Promise<string> {
  const page = await context.newPage();
  await page.goto(adminLink);
  await page.locator('[name=name]').fill('Bench');
  await page.locator('[name=email]').fill('bench@example.com');
  await page.locator('[name=password]').fill('correct horse battery staple');
  await page.locator('form button').last().click();
  await page.waitForURL((url) => !url.search.includes('token'));
  await page.goto(new URL('/console/', adminLink).href);
  await page.waitForURL(/\/console\/tnt_/);
  const address = page.url();
  await page.close();
  return address.replace(/\/$/, '');
}
