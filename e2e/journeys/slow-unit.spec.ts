import { renderInBrowser } from '../fixtures/render-in-browser.ts';
import { expect, test } from '../fixtures/site.ts';

test('the first render contains the page, not a fallback that would stay for 300 ms', async ({ page }) => {
  await renderInBrowser(page);
  // With a stopped clock, a slow machine cannot exceed the second after which the frame renders alone.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1000);
  await page.addInitScript(() => {
    const watch = new MutationObserver(() => {
      if (!document.querySelector('header nav')) return;
      watch.disconnect();
      document.documentElement.dataset['firstShown'] = document.querySelector('h1')?.textContent ?? 'no heading';
    });
    watch.observe(document, { childList: true, subtree: true });
  });

  for (const [path, heading] of [
    ['/plans', 'Pick your plan'],
    ['/rosaverx', 'RosaverX'],
    ['/key-system-1', 'Start in the app'],
    ['/privacy-policy', 'Privacy & Policy'],
  ] as const) {
    await page.goto(path);
    await expect(page.locator('html'), path).toHaveAttribute('data-first-shown', heading);
  }
});

test('a visitor who goes on to a page that loads for long is told so after three seconds, and gets it when it comes', async ({
  page,
}) => {
  let arrive = (): void => undefined;
  const held = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(/\/releases\/tools\/.*remoteEntry/, async (route) => {
    await held;
    await route.continue();
  });
  await page.clock.install();
  await page.goto('/plans');
  await page.getByRole('link', { name: 'Script encrypter' }).click();

  await expect(page).toHaveURL(/\/encrypter$/);
  await page.clock.fastForward(3000);
  await expect(page.getByText('Still loading')).toBeInViewport();
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(0);

  arrive();
  await expect(page.getByRole('heading', { level: 1, name: 'Script encrypter' })).toBeFocused();
});
