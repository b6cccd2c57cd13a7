import type { Browser, Page } from '@playwright/test';
import { throwInRender } from '../fixtures/next-release.ts';
import { expect, test, type Site } from '../fixtures/site.ts';

const UNIT = 'tools';
const PATH = '/encrypter';
const BROKEN = '1.1.0';

/** The number of networks in which a canary has to fail before it is halted. */
const NETWORKS = 5;

// The proxy says from which network a visitor comes.
test.use({ settings: { TRUST_PROXY: '1' } });

test('a broken canary shows no visitor an error, is halted by the fifth network, and QA sees why', async ({
  browser,
  page,
  site,
}) => {
  await site.openCanary(UNIT, BROKEN, throwInRender('encrypter-page'));

  for (let network = 1; network <= NETWORKS; network++)
    await inNetwork(network, { browser, site }, async (visitor) => {
      const reported = visitor.waitForResponse('**/api/load-reports');
      await visitor.goto(PATH);
      await expectPage(visitor, 'fallback');
      expect((await reported).request().postDataJSON()).toEqual({ unit: UNIT, version: BROKEN, failure: 'crashed' });
    });

  await inNetwork(NETWORKS + 1, { browser, site }, async (visitor) => {
    await visitor.goto(PATH);
    await expectPage(visitor, 'stable');
  });

  await page.goto('/qa/releases');
  const unit = page.getByRole('region', { name: UNIT });
  await expect(unit.getByText(`The canary ${BROKEN} was halted`)).toBeVisible();
  await expect(unit.getByText('It failed in 5 of the 5 networks that got it')).toBeVisible();
});

/** Opens a new browser in a network of its own. */
async function inNetwork(
  network: number,
  { browser, site }: { browser: Browser; site: Site },
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({
    baseURL: site.url,
    extraHTTPHeaders: { 'x-forwarded-for': `203.${String(network)}.0.7` },
  });
  await use(await context.newPage());
  await context.close();
}

async function expectPage(page: Page, source: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'Script encrypter' })).toBeVisible();
  await expect(page.locator(`[data-unit="${UNIT}"]`)).toHaveAttribute('data-source', source);
}
