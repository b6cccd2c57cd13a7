import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/site.ts';
import { MATRIX } from '../fixtures/tags.ts';
import { settled } from '../fixtures/settled.ts';

const PATH = '/encrypter';
const UNIT = 'tools';

/** Of this worker alone. */
const METRICS_PORT = 20_000 + (process.pid % 20_000);

// The proxy says from which network a visitor comes.
test.use({ settings: { FIELD_TIMINGS_SHARE: '1', METRICS_PORT: String(METRICS_PORT), TRUST_PROXY: '1' } });

test('a page that is left tells how fast it was, and loads what measures it only when it works', async ({
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

test(
  'a canary that is slower than the stable release is named where releases are listed',
  { tag: MATRIX },
  async ({ page, request, site }) => {
    await page.goto(PATH);
    const [stable, shell] = await readVersions(page);
    await site.openCanary(UNIT, '9.1.0');
    for (let nth = 0; nth < 1000; nth++) {
      const isCanary = nth % 2 === 0;
      const answer = await request.post('/api/field-timings', {
        headers: { 'x-forwarded-for': `203.${String(nth % 100)}.113.7` },
        data: { page: PATH, version: isCanary ? '9.1.0' : stable, shell, cached: true, works: isCanary ? 1500 : 1000 },
      });
      expect(answer.status()).toBe(204);
    }

    await expect(async () => {
      await page.goto('/qa/releases');
      const unit = page.getByRole('region', { name: UNIT });
      await expect(unit.getByText('The canary 9.1.0 is slower than the stable release')).toBeVisible({ timeout: 2000 });
      await expect(unit.getByText(/Medians of 500 visits each/)).toBeVisible();
    }).toPass({ timeout: 30_000 });
  },
);

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
