import { hold } from '../fixtures/held-page.ts';
import { expect, test } from '../fixtures/site.ts';

test('after 100 runs the first step says how long they took, and nothing moves when it is said', async ({
  page,
  site,
}) => {
  const { path } = await site.seedPage('usual-time');
  const answer = await hold(page, /\/api\/keysystem\/state/);
  await page.goto(path);
  const below = page.getByText('Second step');
  await expect(page.getByText('6 steps, then your key works for 24 h.')).toBeVisible();
  const before = await below.boundingBox();

  answer();

  await expect(page.getByText('About 8 min in all.')).toBeVisible();
  expect(await below.boundingBox()).toEqual(before);
});
