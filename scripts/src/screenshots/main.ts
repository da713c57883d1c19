import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startPopulatedService } from '@tps/testing/population';
import { chromium } from 'playwright-core';
import { SHOTS, type Shot } from './shots.ts';
import { LOOKS, takePicture } from './take-picture.ts';

const HELP = `Takes a screenshot of each page of the console, in two themes and two widths.

  npm run screenshots                        all of them, into docs/images
  npm run screenshots -- --only incidents    only pages whose name contains the word; may be repeated
  npm run screenshots -- --into /tmp/look    into another folder`;

const IMAGES = fileURLToPath(new URL('../../../docs/images', import.meta.url));

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      only: { type: 'string', multiple: true },
      into: { type: 'string', default: IMAGES },
    },
  });
  if (values.help) {
    process.stdout.write(`${HELP}\n`);
    return 0;
  }
  const shots = SHOTS.filter(({ name }) => values.only?.some((word) => name.includes(word)) ?? true);
  if (shots.length === 0) {
    process.stderr.write(
      `--only: no page is called so. There are ${SHOTS.map(({ name }) => name).join(', ')}.\n`,
    );
    return 2;
  }
  await mkdir(values.into, { recursive: true });
  await takeAll(shots, values.into);
  return 0;
}

async function takeAll(shots: readonly Shot[], into: string): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'tps-screenshots-'));
  const service = await startPopulatedService({ directory });
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  try {
    const [admin] = service.people;
    if (!admin) throw new Error('the populated tenant has no people');
    const signIn = await browser.newContext();
    const page = await signIn.newPage();
    await page.goto(`${service.baseUrl}/auth/login`);
    await page.locator('[name=email]').fill(admin.email);
    await page.locator('[name=password]').fill(admin.password);
    await page.locator('form button').first().click();
    await page.waitForURL(/\/console\//);
    const storageState = await signIn.storageState();
    for (const look of LOOKS) {
      const context = await browser.newContext({ ...look.context, storageState });
      for (const shot of shots) {
        const file = join(into, `${shot.name}-${look.name}.png`);
        await takePicture(context, { shot, address: `${service.baseUrl}/console/${service.tenantId}`, file });
        process.stdout.write(`${file}\n`);
      }
      await context.close();
    }
  } finally {
    await browser.close();
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
