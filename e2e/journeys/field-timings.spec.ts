import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/site.ts';
import { settled } from '../fixtures/settled.ts';

const PATH = '/encrypter';
const UNIT = 'tools';

/** Of this worker alone. */
const METRICS_PORT = 20_000 + (process.pid % 20_000);

test.use({ settings: { FIELD_TIMINGS_SHARE: '1', METRICS_PORT: String(METRICS_PORT) } });

test('a page that is left reports its timings, and loads the code for it only after hydration', async ({
  page,
  browserName,
}) => {
  await page.goto(PATH);
  await page.getByRole('textbox').first().fill('print("hello")');
  await page.getByRole('button', { name: 'Encrypt' }).first().click();
  await settled(page);
  const { works, measured } = await page.evaluate(() => ({
    works: performance.getEntriesByName('works')[0]?.startTime,
    measured: performance.getEntriesByType('resource').find(({ name }) => name.includes('/seldom.'))?.startTime,
  }));
  expect(measured).toBeGreaterThan(works ?? Infinity);
  const [version, shell] = await readVersions(page);

  // The request outlives its page, so Playwright does not see it.
  await page.goto('/plans');
  const labels = `page="${PATH}",engine="${browserName}",release="${UNIT}@${String(version)}",shell="${String(shell)}"`;
  for (const timing of ['works', 'lcp', 'inp'])
    await expect.poll(readMetrics).toContain(`site_field_duration_seconds_count{${labels},timing="${timing}"} 1\n`);
  // Other engines do not tell how a page moves.
  if (browserName === 'chromium') expect(await readMetrics()).toContain(`site_field_layout_shift_count{${labels}} 1\n`);
});

/** The versions of the page's unit and of the shell. */
async function readVersions(page: Page): Promise<(string | undefined)[]> {
  return page.evaluate(() => {
    const { units } = JSON.parse(document.getElementById('resolution')?.textContent ?? '') as {
      units: Record<string, { version: string }>;
    };
    return [document.querySelector<HTMLElement>('[data-unit]')?.dataset['version'], units['shell']?.version];
  });
}

async function readMetrics(): Promise<string> {
  return (await fetch(`http://127.0.0.1:${String(METRICS_PORT)}/metrics`)).text();
}
