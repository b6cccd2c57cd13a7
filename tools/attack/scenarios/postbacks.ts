import type { Scenario } from './scenario.ts';

/** Attempts to forge postbacks of LootLabs. */
export const POSTBACKS: Scenario[] = [
  {
    name: "forges LootLabs' call",
    async play({ world, player, random, openRun, tries, expect, expectStep }) {
      const cheat = player();
      const { link } = await openRun(cheat, { advertiser: 'lootlabs' });
      await cheat.dwell();
      const secret = world.advertisers.postbackSecret;
      const query = new URLSearchParams({
        click_id: clickIdOf(link),
        unique_id: random.hex(24),
        ip: '127.0.0.1',
      });
      for (const forged of [
        '',
        'secret',
        secret.slice(0, -1),
        `${secret}a`,
        secret.toLowerCase(),
        secret.replace(/.$/, '*'),
        `${secret}%00`,
        '..',
        random.base64url(32),
        secret.repeat(100),
      ]) {
        const { status } = await tries(() => cheat.send(`/api/keysystem/postback/${forged}?${query}`, { headers: {} }));
        expect(status >= 400, `a call with the wrong secret was answered ${status}`);
      }
      await expectStep(cheat, 1, 'a forged call was credited');
    },
  },
  {
    name: 'guesses click ids with the secret at hand',
    async play({ world, player, random, tries, expect }) {
      const cheat = player();
      for (const click of [random.base64url(22), random.hex(32), '1', '*', '%', "' or '1'='1"]) {
        const { status } = await tries(() =>
          cheat.send(
            `/api/keysystem/postback/${world.advertisers.postbackSecret}?${new URLSearchParams({ click_id: click, unique_id: random.hex(8) })}`,
            { headers: {} },
          ),
        );
        expect(status >= 400 && status < 500, `the unknown click ${click} was answered ${status}`);
      }
    },
  },
  {
    name: 'has LootLabs call too early',
    async play({ world, player, openRun, tries }) {
      for (let devices = 0; devices < 3; devices++) {
        const cheat = player();
        const { link, returnUrl } = await openRun(cheat, { advertiser: 'lootlabs' });
        // The oracle checks in the tables that nothing was credited too early.
        await tries(() => world.advertisers.finish(link, { calls: 3 }), 3);
        await tries(() => cheat.comeBack(returnUrl));
      }
    },
  },
  {
    name: 'returns from LootLabs in many tabs at once without its call',
    async play({ player, openRun, tries, expectStep }) {
      const cheat = player();
      const { returnUrl } = await openRun(cheat, { advertiser: 'lootlabs' });
      await cheat.dwell();
      // Some tabs begin a new visit, which replaces an older one. The others return and wait for the postback.
      const plays = Array.from({ length: 20 }, (_, at) =>
        at % 5 === 4 ? () => cheat.clickComplete({ step: 1, advertiser: 'lootlabs' }) : () => cheat.comeBack(returnUrl),
      );
      await tries(() => Promise.all(plays.map((play) => play())), plays.length);
      await expectStep(cheat, 1, 'a return without a call was credited');
    },
  },
  {
    name: 'has one LootLabs task counted for two visits',
    async play({ world, player, random, openRun, tries, expectStep }) {
      const [first, second] = [player(), player()];
      const uniqueId = random.hex(24);
      const firstVisit = await openRun(first, { advertiser: 'lootlabs' });
      const secondVisit = await openRun(second, { advertiser: 'lootlabs' });
      await second.dwell();
      await first.comeBack(await world.advertisers.finish(firstVisit.link, { uniqueId }));
      const clickId = clickIdOf(secondVisit.link);
      const query = new URLSearchParams({ click_id: clickId, unique_id: uniqueId });
      await tries(() =>
        second.send(`/api/keysystem/postback/${world.advertisers.postbackSecret}?${query}`, { headers: {} }),
      );
      await tries(() => second.comeBack(secondVisit.returnUrl));
      await expectStep(second, 1, 'one task counted twice', { orNone: true });
    },
  },
  {
    name: 'sends odd calls in the name of LootLabs',
    async play({ world, player, openRun, tries, expect, expectStep }) {
      const cheat = player();
      const { link } = await openRun(cheat, { advertiser: 'lootlabs' });
      await cheat.dwell();
      const clickId = clickIdOf(link);
      const path = `/api/keysystem/postback/${world.advertisers.postbackSecret}`;
      for (const query of [
        '',
        `?click_id=${clickId}`,
        `?unique_id=1`,
        `?click_id[]=${clickId}&unique_id=1`,
        `?click_id=${clickId}&click_id=x&unique_id=1`,
        `?click_id=${clickId}&unique_id=${'x'.repeat(200)}`,
        `?click_id=${clickId}%00&unique_id=1`,
      ]) {
        const { status } = await tries(() => cheat.send(path + query, { headers: {} }));
        expect(status >= 400 && status < 500, `the call ${query.slice(0, 60)} was answered ${status}`);
      }
      for (const method of ['HEAD', 'POST', 'PUT']) {
        const { status } = await tries(() =>
          cheat.send(`${path}?click_id=${clickId}&unique_id=${method}`, { method, headers: {} }),
        );
        expect(status >= 400, `a call by ${method} was answered ${status}`);
      }
      await expectStep(cheat, 1, 'an odd call was credited');
    },
  },
];

/** The click id in a link to LootLabs, which its postback has to contain. */
function clickIdOf(link: string): string {
  return new URL(link).searchParams.get('puid') ?? '';
}
