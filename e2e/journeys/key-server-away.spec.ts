import type { Page } from '@playwright/test';
import { violations } from '../fixtures/axe.ts';
import { expect, test } from '../fixtures/site.ts';

const AWAY = 'Can’t reach our server. Check your connection, then try again.';

test('a click on Complete while the server is away stays on the page, and Retry goes on where it stood', async ({
  page,
  site,
  device,
}) => {
  await page.goto(`/key-system-1?hwid=${device}&zone=zone-1`);
  const complete = page.getByRole('link', { name: 'Complete' });
  await expect(complete).toHaveAttribute('href', /./);
  const address = page.url();

  await site.withoutServer(async () => {
    await complete.click();
    await expectAway(page);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Retry' }).click();
    await expect(page.getByRole('link', { name: 'Retry' })).toBeVisible();
    expect(page.url()).toBe(address);
  });
  await page.getByRole('link', { name: 'Retry' }).click();

  await expect(page.getByRole('heading', { name: 'Linkvertise' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Step 2 of 6')).toBeVisible();
});

test('the gate stays when the connection goes as it leads on, and leads on when it is back', async ({
  page,
  context,
  device,
}) => {
  await page.route('**/api/v2/verify-captcha', async (route) => {
    const response = await route.fetch();
    await context.setOffline(true);
    await route.fulfill({ response });
  });
  await page.goto(`/gate?hwid=${device}&advertiser=rinku`);

  await expectAway(page);
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Rinku' })).toBeVisible();
});

async function expectAway(page: Page) {
  await expect(page.getByText(AWAY)).toBeInViewport({ ratio: 1 });
}
