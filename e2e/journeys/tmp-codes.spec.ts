import { openWith, untilFirstToast } from '../fixtures/purchases.ts';
import { test } from '../fixtures/site.ts';
import { endEntrance } from '../fixtures/toast-stay.ts';

for (const [w, h] of [[320, 640], [360, 740], [844, 390], [1440, 900]] as const)
  for (const [what, p] of Object.entries({
    none: { name: 'Someone', location: '', country_code: '' },
    country: { name: 'Someone', location: 'United Kingdom', country_code: 'GB' },
  }))
    test(`shot ${w} ${what}`, async ({ page }) => {
      await page.setViewportSize({ width: w, height: h });
      await openWith(page, '/v5', [{ ...p, timestamp: Math.floor(Date.now() / 1000) }]);
      await untilFirstToast(page);
      await endEntrance(page.getByRole('alert'));
      await page.screenshot({ path: `/tmp/codes-shot-${w}-${what}.png` });
    });
