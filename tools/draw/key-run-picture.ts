import { execFileSync } from 'node:child_process';
import type { Browser } from 'playwright-core';

/** A site that this machine serves, and the folder with its data. */
interface Site {
  url: string;
  dataDir: string;
}

/**
 * Takes the picture of the README: a run at its third step, on a phone.
 * @param path where the PNG is written
 */
export async function drawKeyRun(browser: Browser, { url, dataDir }: Site, path: string): Promise<void> {
  const told = execFileSync(process.execPath, ['dist/api/seed.js', 'step-3'], {
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'development', DATA_DIR: dataDir },
  });
  const { pathname, search } = new URL(/https?:\S+/.exec(told)?.[0] ?? '');

  const page = await browser.newPage({ viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' });
  await page.goto(url + pathname + search);
  await page.locator('[data-sticky-action]').getByRole('link').waitFor();
  await page.getByText('1 online').waitFor();
  await page.evaluate(async () => {
    await document.fonts.ready;
    scrollTo(0, 0);
  });
  await page.screenshot({ path, animations: 'disabled' });
  await page.close();
}
