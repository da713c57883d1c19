import { useChromium } from '@tps/testing/browser';
import { useTestService } from '@tps/testing/service';
import { expect, onTestFinished, test } from 'vitest';

const service = useTestService();
const chromium = useChromium();

/** Opens the documentation, and collects what the browser reports about it. */
async function openDocs() {
  const context = await chromium.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('requestfailed', (request) => problems.push(`${request.url()} failed`));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.exposeFunction('reportViolation', (violation: string) => problems.push(violation));
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (violation) =>
    reportViolation(violation.violatedDirective + ' forbids ' + violation.blockedURI))`);
  await page.goto(`${service.baseUrl}/docs/`);
  return { page, problems };
}

test('the documentation shows the operations, and nothing in it violates its policy', async () => {
  const { page, problems } = await openDocs();
  const open = (name: string) => page.getByRole('link', { name }).first().click();
  const heading = (name: string) => page.getByRole('heading', { name }).first();
  await heading('Threat Protection Service').waitFor();
  await open('Register a device');
  await heading('Register a device').waitFor();
  await page.getByRole('button', { name: 'Open Search' }).first().click();
  await page.getByRole('combobox').first().fill('rotate');
  await page
    .getByRole('option', { name: /secret of a webhook/ })
    .first()
    .click();
  await heading('Replace the secret of a webhook').waitFor();
  expect(problems).toEqual([]);
});
