import type { Player } from '../players/player.ts';
import type { Attack, Scenario } from './scenario.ts';

/** The companion's runs are shorter and have the same rules. */
const APP = 'companion';
const STEPS = 3;

/**
 * Attempts to move another device's key to a different zone, or to end its run. Most begin when the run has one step
 * done.
 */
export const ZONES: Scenario[] = [
  {
    name: 'presses for another device with a zone of its own',
    play: (attack) =>
      besideRun(attack, async ({ tries, expect, owner, stranger }) => {
        for (const run of [undefined, '', 'keep ', 'NEW', 'move', 'new', ['keep', 'new']]) {
          const { link, page } = await tries(() => stranger.clickComplete({ step: 2, run }));
          expect(!link, `a step start from elsewhere with another zone and run=${String(run)} led to an advertiser`);
          expect(
            page?.notice === 'KS_OTHER_ZONE' || page?.step === 1,
            `it was not asked, but led to ${JSON.stringify(page)}`,
          );
        }
        for (let times = 0; times < 2; times++) await tries(() => stranger.clickComplete({ step: 2, run: 'keep' }));
        expect((await owner.state())?.run?.zone === 'same', 'a step start from elsewhere moved the run');
      }),
  },
  {
    name: "finishes another device's step to move its run",
    play: (attack) =>
      besideRun(attack, async ({ world, leave, tries, expect, owner, stranger }) => {
        const { link } = await leave(stranger, { step: 2, run: 'keep' });
        await stranger.dwell();
        await tries(async () => stranger.arrive(await world.advertisers.finish(link)));
        expect((await owner.state())?.run?.zone === 'same', 'a return from elsewhere moved the run');
        expect((await stranger.state())?.run?.zone === 'other', 'a return made the run of another zone its own');
      }),
  },
  {
    name: "starts again to burn another device's run",
    play: (attack) =>
      besideRun(attack, async ({ player, tries, expect, owner }) => {
        const before = (await owner.state())?.run?.step;
        for (let times = 0; times < 3; times++) {
          const stranger = player({ app: APP, hwid: owner.hwid, isVictims: true });
          await stranger.passCaptcha();
          const { link } = await tries(() => stranger.clickComplete({ run: 'new' }));
          expect(link, 'a visitor who starts again is not let out to an advertiser');
        }
        expect((await owner.state())?.run?.step === before, "starting again burnt the owner's steps");
      }),
  },
  {
    name: 'starts again without a captcha',
    play: (attack) =>
      besideRun(attack, async ({ tries, expect, stranger }) => {
        const { page } = await tries(() => stranger.clickComplete({ run: 'new' }));
        expect(page?.notice === 'KS_CAPTCHA', `a second run was opened without a captcha: ${JSON.stringify(page)}`);
      }),
  },
  {
    name: 'begins with many zones at once',
    async play({ player, random, tries, expect }) {
      const cheat = player({ app: APP });
      for (let passes = 0; passes < 2; passes++) await cheat.passCaptcha();
      const browsers = Array.from({ length: 20 }, () =>
        // All browsers have one address, because the captchas were solved for its network.
        player({ app: APP, hwid: cheat.hwid, zone: `zone-${random.hex(8)}`, address: cheat.address }),
      );
      const started = await tries(
        () => Promise.all(browsers.map((browser) => browser.clickComplete())),
        browsers.length,
      );
      const opened = started.filter(({ link }) => link).length;
      expect(opened === 1, `twenty zones at once opened ${opened} runs`);
    },
  },
  {
    name: 'begins without a zone in the name of another device, to take its key along',
    async play({ player, openRun, tries, expect }) {
      const cheat = player({ app: APP, zone: '' });
      await openRun(cheat);
      const owner = player({ app: APP, hwid: cheat.hwid, isVictims: true });
      const thief = player({ app: APP, hwid: cheat.hwid });
      for (const [name, value] of cheat.cookies) thief.cookies.set(name, value);

      for (let step = 1; step <= STEPS; step++) {
        await tries(() => thief.clickComplete({ step }));
        await owner.takeStep({ step });
      }
      await tries(() => thief.clickComplete());
      expect(
        (await owner.key())?.status === 'active',
        'a key was taken along by the device that began its run without a zone',
        'keys',
      );
    },
  },
  {
    name: "uses up another device's captcha",
    async play({ player, random, tries, expect }) {
      const owner = player({ app: APP });
      await owner.passCaptcha();
      // In a network of their own: in the owner's, a browser without a cookie may be the owner's.
      const stranger = player({
        app: APP,
        hwid: owner.hwid,
        isVictims: true,
        address: `198.18.${random.int(250)}.9`,
      });
      for (const run of [undefined, 'new']) {
        const { link } = await tries(() => stranger.clickComplete({ run }));
        expect(!link, "a run was opened with another visitor's captcha");
      }
      expect((await owner.clickComplete({ step: 1 })).link, 'the visitor who solved a captcha could not begin with it');
    },
  },
];

/**
 * Plays a stranger while a run is at its second step. The owner then finishes the run, and only the owner gets the key.
 */
async function besideRun(
  attack: Attack,
  play: (attack: Attack & { owner: Player; stranger: Player }) => Promise<void>,
): Promise<void> {
  const { player, openRun, expect } = attack;
  const owner = player({ app: APP });
  await openRun(owner);
  await owner.takeStep({ step: 1 });
  const stranger = player({ app: APP, hwid: owner.hwid, isVictims: true });

  await play({ ...attack, owner, stranger });

  for (let step = (await owner.state())?.run?.step ?? STEPS; step <= STEPS; step++) await owner.takeStep({ step });
  expect((await owner.key())?.status === 'active', 'the owner of a run has no key for their zone');
  expect((await stranger.key())?.status !== 'active', "the key went to a stranger's zone", 'keys');
}
