import { violations } from '../fixtures/axe.ts';
import { finishStep, finishTask } from '../fixtures/key-steps.ts';
import { readKey } from '../fixtures/read-key.ts';
import { expect, test } from '../fixtures/site.ts';
import { WINDOWS } from '../fixtures/windows.ts';

const OTHER = 'You started this run with another app link';
const FOLDER = '/rosaverx';

test('the app’s new link takes the run along: its pages say so, and the key goes there', async ({
  page,
  request,
  device,
}) => {
  await page.goto(`${FOLDER}/key-system-1?hwid=${device}&zone=zone-1`);
  await finishStep(page);
  await expect(page).toHaveURL(/key-system-2\?.*zone=zone-1/);

  await page.goto(`${FOLDER}/key-system-1?hwid=${device}&zone=zone-2`);
  await expect(page).toHaveURL(/key-system-2\?.*zone=zone-2/);
  await expect(page.getByText('Your run moves to the link you just opened.')).toBeVisible();
  await finishStep(page);
  await expect(page).toHaveURL(/key-system-3\?.*zone=zone-2/);
  await expect(page.getByText('Your run moves')).toHaveCount(0);
  await finishStep(page);

  await expect(page.getByRole('heading', { name: 'Key System completed!' })).toBeVisible();
  expect(await readKey(request, `hwid=${device}&zone=zone-2&app=companion`)).toMatchObject({ status: 'active' });
  expect(await readKey(request, `hwid=${device}&zone=zone-1&app=companion`)).toMatchObject({ status: 'none' });
});

test('a second browser with another link is asked, and may go on: the key is then not for its link, which the end says', async ({
  page,
  browser,
  baseURL,
  request,
  device,
}) => {
  await page.goto(`${FOLDER}/key-system-1?hwid=${device}&zone=zone-1`);
  await finishStep(page);
  await expect(page).toHaveURL(/key-system-2\?/);
  const other = await browser.newPage({ viewport: WINDOWS.phone, ...(baseURL && { baseURL }) });
  await other.goto(`${FOLDER}/key-system-1?hwid=${device}&zone=zone-2`);
  await expect(other).toHaveURL(/key-system-2\?.*zone=zone-2/);
  await expect(other.getByText(OTHER)).toBeVisible();
  await expect(other.getByText('Your run goes on at step 2.')).toHaveCount(0);
  expect(await violations(other)).toEqual([]);

  for (const next of ['key-system-3', 'key-system-getkey']) {
    await other.getByRole('link', { name: 'Keep going' }).press('Enter');
    await finishTask(other, 'Linkvertise');
    await expect(other).toHaveURL(new RegExp(`${next}\\?.*zone=zone-2`));
  }

  await expect(other.getByText('This key’s for the link you started with, not the one you just opened.')).toBeVisible();
  expect(await readKey(request, `hwid=${device}&zone=zone-1&app=companion`)).toMatchObject({ status: 'active' });
  await other.getByRole('link', { name: 'Get a key for this link' }).click();
  await expect(other.getByText('Step 1 of 3')).toBeVisible();
  await finishStep(other);
  await expect(other).toHaveURL(/key-system-2\?.*zone=zone-2/);
});
