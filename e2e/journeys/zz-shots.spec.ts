import { openState, PAGE_STATES } from '../fixtures/page-states.ts';
import { settled } from '../fixtures/settled.ts';
import { test } from '../fixtures/site.ts';
// OUT=<folder> ONLY=<regexp of state names> SIZES=360x740,1440x900 npx playwright test zz-shots
const out = process.env['OUT'] ?? '/tmp/shots-now';
const only = new RegExp(process.env['ONLY'] ?? '.');
const sizes = (process.env['SIZES'] ?? '360x740,1440x900').split(',').map((s) => s.split('x').map(Number));
const letters = process.env['LETTERS'];
const lang = process.env['LANG_OF_PAGE'];
test.use({ contextOptions: { reducedMotion: 'reduce' }, ...(lang ? { locale: lang } : {}) });
for (const [name, state] of Object.entries(PAGE_STATES)) {
  if (!only.test(name)) continue;
  test(`shot ${name}`, async ({ page }) => {
    await openState(page, state);
    if (letters)
      (await page.addStyleTag({ content: '' }).catch(() => undefined),
        await page.evaluate((l) => {
          document.documentElement.style.fontSize = l;
        }, `${letters}%`));
    for (const [width, height] of sizes) {
      if (state.upTo && width! > state.upTo) continue;
      await page.setViewportSize({ width: width!, height: height! });
      await settled(page);
      const file = `${out}/${name.replaceAll(/[^\w-]+/g, '_')}-${width}${letters ? `-${letters}` : ''}`;
      const isModal = (await page.locator('dialog[open]').count()) > 0;
      await page.screenshot({
        path: `${file}.jpg`,
        quality: 80,
        type: 'jpeg',
        fullPage: !isModal && !process.env['VIEW'],
        animations: 'disabled',
      });
    }
  });
}
