import type { Scenario } from './scenario.ts';

/** Attempts to skip steps. */
export const SKIPPING: Scenario[] = [
  {
    name: 'opens the pages of later steps',
    async play({ player, openRun, tries, expectStep }) {
      const cheat = player();
      await openRun(cheat);
      for (const page of [
        'key-system-2',
        'key-system-6',
        'key-system-getkey',
        'success-premium',
        'rosaverx/key-system-3',
        'rosaverx/key-system-getkey',
      ]) {
        await tries(() => cheat.send(`/${page}?${cheat.who()}`));
      }
      await expectStep(cheat, 1);
    },
  },
  {
    name: 'presses the button of a later step',
    async play({ player, openRun, tries, expect, expectStep }) {
      const cheat = player();
      await openRun(cheat);
      for (const step of ['2', '3', '4', '5', '6', '7', '0', '-1', '1.5', '1e3', '0x2', ' 2', '2,3', 'NaN', '١']) {
        const { link } = await tries(() => cheat.clickComplete({ step }));
        expect(!link, `step=${step} at step 1 led to an advertiser`);
      }
      await expectStep(cheat, 1);
    },
  },
  {
    name: 'presses buttons without a run',
    async play({ player, tries, expect }) {
      const cheat = player();
      for (const step of [undefined, '1', '2', '6', '7']) {
        const { link } = await tries(() => cheat.clickComplete({ step }));
        expect(!link, `step=${step} without a run led to an advertiser`);
      }
      expect((await cheat.state())?.run === null, 'a run was opened without a captcha');
    },
  },
  {
    name: 'presses the buttons of the other app',
    async play({ player, openRun, tries, expect }) {
      const cheat = player();
      await openRun(cheat);
      const other = player({ app: 'companion', hwid: cheat.hwid, zone: cheat.zone });
      for (const step of [undefined, '2', '3']) {
        const { link } = await tries(() => other.clickComplete({ step }));
        expect(!link, "one app's captcha opened the other app's run as well");
      }
    },
  },
  {
    name: 'asks for the key before the end',
    async play({ player, tries, expect }) {
      const cheat = player();
      await cheat.passCaptcha();
      for (let step = 1; step <= 5; step++) {
        await cheat.takeStep({ step: step === 1 ? undefined : step });
        for (const query of ['', '&app=main', '&step=6', '&series=1', '&of=1']) {
          const { text } = await tries(() => cheat.send(`/api/key?${cheat.who()}${query}`));
          expect(!text.includes('"active"'), `after ${step} of 6 steps ${query} brought a key`);
        }
      }
    },
  },
];
