import { expect, test } from '../fixtures/site.ts';
import { expectSound } from '../fixtures/sound.ts';

for (const [path, button] of [
  ['/key-system-1', 'Get Key'],
  ['/key-system-1?hwid=device-states-1', 'Get Key'],
  ['/key-system-6', 'Get Key'],
  ['/key-system-6?hwid=device-states-1', 'Get Key'],
  ['/rosaverx/key-system-1?hwid=short&zone=z', 'Get Key'],
  ['/rosaverx/key-system-1', 'Get Key'],
  ['/gate', 'Get Key'],
  ['/key-system-bypass?r=KS_TICKET', 'Back to Key System'],
  ['/rosaverx/key-system-bypass', 'Back to Key System'],
] as const) {
  test(`${path} does not know the device: its button asks to begin in the app, and goes there on OK only`, async ({
    page,
  }) => {
    await page.goto(path);
    const gone: string[] = [];
    page.on('framenavigated', (frame) => gone.push(frame.url()));

    await page.getByRole('button', { name: button }).click();
    const prompt = page.getByRole('alertdialog');
    await expect(prompt).toContainText(
      'Complete the key system via the “Get Key” button inside the app: it provides the parameters that recognise your device.',
    );
    await expectSound(page);
    await prompt.getByRole('button', { name: 'Cancel' }).click();
    await expect(prompt).toBeHidden();

    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Page.enable');
    const asked = new Promise<string>((resolve) => cdp.on('Page.frameRequestedNavigation', ({ url }) => resolve(url)));
    await page.getByRole('button', { name: button }).click();
    await prompt.getByRole('button', { name: 'OK' }).click();
    expect(await asked).toMatch(/^roblox:/);
    expect(gone).toEqual([]);
  });
}
