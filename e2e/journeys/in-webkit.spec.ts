import { test } from '../webkit/visitor.ts';

test('the companion’s run leads to a key', async ({ visitor, device }) => {
  await visitor.open(`/rosaverx/key-system-1?hwid=${device}&zone=zone-1`);
  for (const next of ['key-system-2', 'key-system-3', 'key-system-getkey']) {
    await visitor.click('link', /^Complete/);
    await visitor.click('button', 'Continue');
    await visitor.isAt(new RegExp(`/rosaverx/${next}\\?`));
  }
  await visitor.sees('Key System completed!');
});
