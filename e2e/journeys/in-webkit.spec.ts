import { issueCode } from '../fixtures/issue-code.ts';
import { serveLossy } from '../fixtures/lossy-proxy.ts';
import { expect } from '../fixtures/site.ts';
import { MAIN, MATRIX } from '../fixtures/tags.ts';
import { translatePage } from '../fixtures/translate-page.ts';
import { serveHost } from '../hosts/serve-host.ts';
import { test, type Visitor } from '../webkit/visitor.ts';

/** The tag of what needs a window as narrow as a phone: WPE has one of its own size. */
const PHONE = '@phone';

const who = (device: string) => `hwid=${device}&zone=zone-1`;

test(
  'a player earns a key with two advertisers, through back, a reload and a link opened again',
  { tag: MAIN },
  async ({ visitor, device }) => {
    await visitor.open(`/key-system-1?${who(device)}`);
    await visitor.click('radio', 'LootLabs');
    await visitor.click('link', /^Complete/);
    await visitor.sees('Continue');
    await visitor.back();
    await visitor.isAt(/\/key-system-1\?.*advertiser=lootlabs/);

    await finishStep(visitor);
    await visitor.isAt(/\/key-system-2\?/);
    await visitor.reload();
    await visitor.sees('Key step 2 of 6');
    await visitor.open(`/key-system-1?${who(device)}`);
    for (const step of [2, 3, 4, 5, 6]) {
      await visitor.isAt(new RegExp(`/key-system-${step}\\?`));
      await visitor.click('radio', step % 2 === 0 ? 'Linkvertise' : 'LootLabs');
      await finishStep(visitor);
    }

    await visitor.isAt(/\/key-system-getkey\?/);
    await visitor.sees('Key System completed!');
  },
);

for (const builder of ['bare', 'webpack', 'rspack', 'vite'])
  test(
    `a host of another team, built with ${builder}, names the chunk that is missing, and shows the page at the next try`,
    { tag: MATRIX },
    async ({ visitor, site }) => {
      let missing = 1;
      const lossy = await serveLossy(site.url, (url, res) => {
        const isMissing = /\/static\/js\/remote\./.test(url) && missing-- > 0;
        if (isMissing) res.writeHead(404, { 'access-control-allow-origin': '*' }).end();
        return isMissing;
      });
      const host = await serveHost(builder, lossy.url);

      await visitor.open(`${host.url}/check-key`);
      await visitor.click('button', 'Show');
      await visitor.sees('ChunkLoadError: Loading chunk');
      await visitor.sees('type: error');
      await visitor.click('button', 'Try again');
      await visitor.sees('Check a key');
      const colour = () => visitor.evaluate(() => getComputedStyle(document.querySelector('main') as Element).color);
      await expect.poll(colour).toBe('rgb(242, 244, 250)');

      await host.close();
      lossy.close();
    },
  );

test('when the first answer about the run never comes, the page asks again by itself', async ({
  visitor,
  site,
  device,
}) => {
  const lossy = await serveLossy(site.url);
  lossy.lose(/^GET \/api\/keysystem\/state/, 1);
  await visitor.open(`${lossy.url}/key-system-1?${who(device)}`);
  await expect.poll(lossy.countAsked, { timeout: 20_000 }).toBe(2);

  await visitor.click('link', /^Complete/);
  await visitor.sees('Continue');
  lossy.close();
});

test(
  'a visitor who leaves while a page loads and comes back gets it, and its release is not reported',
  { tag: MAIN },
  async ({ visitor, site }) => {
    const reported: string[] = [];
    const lossy = await serveLossy(site.url, (url) => url === '/api/load-reports' && reported.push(url) > 0);
    await visitor.open(`${lossy.url}/plans`);
    lossy.lose(/\/encrypter-page\.\w+\.js/, 1);
    await visitor.click('link', 'Script encrypter');
    await expect.poll(lossy.countAsked).toBe(1);

    await visitor.evaluate(() => void setTimeout(() => location.assign('/dev/away')));
    await visitor.isAt(/\/dev\/away$/);
    await visitor.back();
    await visitor.isAt(/\/encrypter$/);
    await visitor.sees('Encrypt');
    expect(reported).toEqual([]);
    lossy.close();
  },
);

test('a player buys a plan', async ({ visitor, device }) => {
  await visitor.open(`/plans?${who(device)}`);
  await visitor.sees('This device has no plan yet.');
  await visitor.click('link', 'Get Plus');
  await visitor.click('button', 'Pay');

  await visitor.isAt(/\/success-plus\?ref=/);
  await visitor.sees('Plus activated');
});

test('a code of a reseller is redeemed, and its devices are reset by the link in the mail', async ({
  visitor,
  site,
  device,
}) => {
  const email = `${device}@mail.example`.toLowerCase();
  await visitor.open(`/redeem?${who(device)}`);
  await visitor.fill('Code', await issueCode(site));
  await visitor.fill('Email address', email);
  await visitor.click('button', 'Redeem');
  await visitor.isAt(/\/successV5\?/);

  await visitor.open('/v5#reset');
  await visitor.fill('Email address', email);
  await visitor.click('button', 'Reset devices');
  await visitor.sees('Success: device reset requested.');
  await visitor.open(await site.readMailedLink(email, '/reset-devices'));
  await visitor.click('button', 'Reset devices');
  await visitor.sees('Reset succeeded! Your devices have been reset');
});

test('the menu leads to another page, and Escape closes it', { tag: [MAIN, PHONE] }, async ({ visitor }) => {
  await visitor.open('/plans');
  await visitor.click('details', 'Menu');
  await visitor.sees('Get a key');
  await visitor.press('Escape');
  await visitor.seesNot('Get a key');

  await visitor.click('details', 'Menu');
  await visitor.click('link', 'NEO');
  await visitor.isAt(/\/neo$/);
  await visitor.sees('Arceus X NEO');
});

test('the arrow keys turn the carousel both ways', { tag: MAIN }, async ({ visitor }) => {
  await visitor.open('/rosaverx');
  await visitor.click('radio', 'Basic');
  // A click does not focus a radio button in WebKit, Tab does.
  await visitor.evaluate(() => document.querySelector<HTMLInputElement>('main [type=radio]:checked')?.focus());
  for (const [key, days] of [
    ['ArrowRight', 30],
    ['ArrowRight', 365],
    ['ArrowRight', 7],
    ['ArrowLeft', 365],
  ] as const) {
    await visitor.press(key);
    await visitor.sees(`${days} days without the key system`);
  }
});

test('a page whose remote cannot be reached says so, and comes back by Retry', async ({ visitor, site }) => {
  await visitor.open('/plans');
  await site.withoutServer(async () => {
    await visitor.click('link', 'RosaverX');
    await visitor.sees('This page didn’t load');
  });
  await visitor.click('button', 'Retry');
  await visitor.sees('Up to 40% back on marketplace purchases.');
});

test('pages are painted', { tag: MAIN }, async ({ visitor, device }) => {
  for (const path of ['/status', '/resellers', '/v5', '/plans', '/rosaverx', `/key-system-1?${who(device)}`]) {
    await visitor.open(path);
    await visitor.seesPicture();
  }
});

test('a translated page keeps working', async ({ visitor, device }) => {
  await visitor.open(`/key-system-1?${who(device)}`);
  await visitor.evaluate(translatePage, 'load');
  await visitor.click('button', /^Copy/);
  await visitor.click('radio', 'Rinku');
  await visitor.click('link', 'Plans');
  await visitor.sees('Pick your plan');
  await visitor.back();
  await finishStep(visitor);
  await visitor.isAt(/\/key-system-2\?/);
});

/** Presses the step's button, and finishes the visit on the page of the fake advertiser. */
async function finishStep(visitor: Visitor) {
  await visitor.click('link', /^Complete/);
  await visitor.click('button', 'Continue');
}
