import { expect, test } from '../fixtures/site.ts';
import { expectSound } from '../fixtures/sound.ts';

test('a link of another site to the key system is asked about once, and its button leads to the advertiser', async ({
  page,
  device,
}) => {
  await page.goto(`/key-system-1?hwid=${device}&zone=zone-1`);
  const complete = page.getByRole('link', { name: /^Complete/ });
  await expect(complete).toHaveAttribute('href', /./);
  const href = await complete.evaluate((link: HTMLAnchorElement) => link.href);

  const elsewhere = 'http://elsewhere.example/';
  await page.route(elsewhere, (route) =>
    route.fulfill({ contentType: 'text/html', body: `<a href="${href.replaceAll('&', '&amp;')}">Free keys</a>` }),
  );
  await page.goto(elsewhere);
  await page.getByRole('link', { name: 'Free keys' }).click();
  await expect(page.getByRole('heading', { name: 'Carry on to your key?' })).toBeVisible();
  await expectSound(page);

  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(/\/dev\/advertiser\//);
});
