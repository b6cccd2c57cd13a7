import type { Page } from '@playwright/test';
import { issueCode } from '../fixtures/issue-code.ts';
import { readKey } from '../fixtures/read-key.ts';
import { expect, test, type Site } from '../fixtures/site.ts';
import { expectSound } from '../fixtures/sound.ts';
import { WINDOWS } from '../fixtures/windows.ts';

test.use({ viewport: WINDOWS.phone });

test('a customer resets the devices by the link in the mail, once, and the plan moves to the new phone', async ({
  page,
  site,
  device,
}) => {
  test.slow();
  const email = `${device}@mail.example`.toLowerCase();
  const asked = watchRequests(page);
  await page.goto(`/redeem?${who(device)}`);
  await redeem(page, { code: await issueCode(site), email });
  await expect(page).toHaveURL(`/successV5?${who(device)}`);
  await expect(page.getByText(/^Your \w+ plan is active until .* at\s\d\d:\d\d\.$/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Launch' })).toBeVisible();

  const reset = await test.step('the devices are reset', async () => {
    await askForReset(page, email);
    const link = await openMailedLink(page, site, email, '/reset-devices');
    await expect(page.getByRole('heading', { name: 'Remove this device?' })).toBeVisible();
    await expect(page.getByText(/^Plus, until \d+\s\w+(\s\d{4})?$/)).toBeVisible();
    await expectSound(page);
    expect(await readKey(page.request, who(device))).toMatchObject({ status: 'active' });

    await page.getByRole('button', { name: 'Reset devices' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reset succeeded! Your devices have been reset');
    expect(await readKey(page.request, who(device))).toMatchObject({ status: 'none' });
    return link;
  });

  const claim = await test.step('the new phone takes the place', async () => {
    await page.goto(`/plans?${who(`${device}-2`)}`);
    await page.getByRole('button', { name: 'I have a plan' }).click();
    await page.getByLabel('Email address of your plan').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await expect(page.getByText(/^If this address has a plan/)).toBeVisible();
    const link = await openMailedLink(page, site, email, '/claim-plan');
    await expect(page.getByText('Only go on if this is your own phone.')).toBeVisible();
    await expect(page.getByText('2 of 2')).toBeVisible();

    await page.getByRole('button', { name: 'Add this device' }).click();
    await expect(page.getByRole('heading', { name: 'Your plan is on this device' })).toBeFocused();
    await expectSound(page);
    expect(await readKey(page.request, who(`${device}-2`))).toMatchObject({ status: 'active' });
    return link;
  });

  await test.step('a link works once, and the next reset has to wait', async () => {
    await page.goto(reset);
    await expect(page.getByRole('alert')).toContainText('This link doesn’t work anymore');
    await askForReset(page, email);
    await expect.poll(() => site.readMailedLink(email, '/reset-devices')).not.toBe(reset);
    await openMailedLink(page, site, email, '/reset-devices');
    await expect(page.getByRole('heading', { name: /^You can reset again on \d+\s\w+/ })).toBeVisible();
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
    expect(await readKey(page.request, who(`${device}-2`))).toMatchObject({ status: 'active' });
  });

  await test.step('a link that a mail scanner has encoded leads to its page, and one that was cut off says so', async () => {
    await page.goto(`/reset-devices%23t=${'a'.repeat(43)}`);
    await expect(page).toHaveURL('/reset-devices');
    await expect(page.getByRole('alert')).toContainText('This link doesn’t work anymore');
    await page.goto('/claim-plan%23t=a');
    await expect(page).toHaveURL('/claim-plan');
    await expect(page.getByRole('alert')).toContainText('Your link got cut off');
  });

  for (const link of [reset, claim]) expect(asked.filter((each) => each.includes(tokenOf(link)))).toEqual([]);
});

const who = (device: string) => `hwid=${device}&zone=zone-1`;
const tokenOf = (link: string) => link.split('#t=')[1] ?? '';

/** Fills in the form for a code and sends it. The address of the page names the device. */
async function redeem(page: Page, { code, email }: { code: string; email: string }) {
  await page.getByLabel('Code').fill(code);
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Redeem' }).click();
}

async function askForReset(page: Page, email: string) {
  await page.goto('/v5#reset');
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Reset devices' }).click();
  await expect(page.getByText(/^Success: device reset requested\./)).toBeVisible();
}

/** Opens the link of a mail, and expects that its token leaves the address. */
async function openMailedLink(page: Page, site: Site, email: string, path: string): Promise<string> {
  const link = await site.readMailedLink(email, path);
  await page.goto(link);
  await expect(page).toHaveURL(path);
  return link;
}

/** The addresses and headers of all requests of a page, from now on. */
function watchRequests(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.url()} ${JSON.stringify(request.headers())}`));
  return asked;
}
