import { expect, test } from '../fixtures/site.ts';

test('the light around the trailer runs through its six colours, one a second', async ({ page }) => {
  await page.goto('/resellers');
  const lights = await page.locator('figure > div > span[aria-hidden] > span').evaluateAll((all) =>
    all.map((light) => ({
      colour: /rgb\([^)]*\)/.exec(getComputedStyle(light).boxShadow)?.[0],
      changes: light
        .getAnimations()
        .map(({ effect }) => [
          effect?.getTiming().duration,
          effect?.getTiming().delay,
          (effect as KeyframeEffect).getKeyframes().every((frame) => 'opacity' in frame),
        ]),
    })),
  );

  // From red over pink to blue.
  expect(lights.map(({ colour }) => colour)).toEqual([
    'rgb(255, 77, 94)',
    'rgb(255, 95, 147)',
    'rgb(255, 122, 200)',
    'rgb(181, 123, 255)',
    'rgb(122, 140, 255)',
    'rgb(74, 157, 255)',
  ]);
  expect(lights.map(({ changes }) => changes)).toEqual([-6, -5, -4, -3, -2, -1].map((s) => [[6000, s * 1000, true]]));
});
