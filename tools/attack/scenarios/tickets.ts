import type { Scenario } from './scenario.ts';

/** Attempts with tickets that are invented, changed, stale, or of another device. */
export const TICKETS: Scenario[] = [
  {
    name: 'invents tickets',
    async play({ player, random, tries, expect }) {
      const cheat = player();
      for (let guess = 0; guess < 20; guess++) {
        const ticket = random.pick([
          random.base64url(43),
          random.base64url(42),
          random.base64url(44),
          random.hex(64),
          '',
          '..',
          '%2e%2e',
          'undefined',
          '*',
          random.base64url(4000),
        ]);
        const { status, location } = await tries(() =>
          cheat.comeBack(`/api/keysystem/return/${ticket}?hash=${random.hex(64)}`),
        );
        expect(
          status >= 400 || /key-system-bypass/.test(location ?? ''),
          `the invented ticket ${ticket.slice(0, 60)} led to ${status} ${location}`,
        );
      }
    },
  },
  {
    name: 'bends a real ticket',
    async play({ world, player, openRun, tries, expectStep }) {
      const cheat = player();
      const { link } = await openRun(cheat);
      await cheat.dwell();
      const back = await world.advertisers.finish(link, { isKept: true });
      const ticket = new URL(back).pathname.split('/').at(-1) ?? '';
      const flip = (at: number) => ticket.slice(0, at) + (ticket[at] === 'A' ? 'B' : 'A') + ticket.slice(at + 1);
      const swapCase = [...ticket]
        .map((char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()))
        .join('');
      for (const bent of [
        flip(0),
        flip(20),
        flip(42),
        ticket.slice(0, -1),
        `${ticket}A`,
        `${ticket}=`,
        `${ticket}%00`,
        `${ticket}.`,
        `${ticket}x`,
        swapCase,
        `${ticket},${ticket}`,
      ]) {
        await tries(() => cheat.comeBack(back.replace(ticket, bent)));
      }
      await expectStep(cheat, 1, 'a bent ticket was taken');
    },
  },
  {
    name: 'uses tickets that newer ones have overtaken',
    async play({ world, player, openRun, leave, tries, expectStep }) {
      const cheat = player();
      await openRun(cheat);
      // A browser may have three visits at once. The first step start had no cookie yet, so it does not count for this
      // browser.
      const { link } = await leave(cheat, { step: 1 });
      for (let newer = 0; newer < 3; newer++) await cheat.clickComplete({ step: 1 });
      await cheat.dwell();
      const back = await world.advertisers.finish(link);
      for (let again = 0; again < 3; again++) await tries(() => cheat.comeBack(back));
      await expectStep(cheat, 1, 'an overtaken ticket was taken');
    },
  },
  {
    name: "opens another device's return",
    async play({ world, player, openRun, tries, expectStep }) {
      const [owner, cheat] = [player(), player()];
      const { link } = await openRun(owner);
      await openRun(cheat);
      await owner.dwell();
      const back = await world.advertisers.finish(link);
      await tries(() => cheat.comeBack(back));
      await tries(() => cheat.comeBack(`${back}&hwid=${cheat.hwid}&zone=${cheat.zone}`));
      await expectStep(cheat, 1, "another device's ticket moved this one's run");
      await expectStep(owner, 2, 'a ticket did not count for the device that it was given to');
    },
  },
  {
    name: 'writes another device or step into its return',
    async play({ world, player, openRun, tries, expectStep }) {
      const [cheat, friend] = [player(), player()];
      const { link } = await openRun(cheat);
      await openRun(friend);
      await cheat.dwell();
      const back = await world.advertisers.finish(link);
      for (const query of [
        `hwid=${friend.hwid}`,
        'step=6',
        'step=5&of=1',
        'state=completed',
        `run=${friend.hwid}`,
        'advertiser=rinku',
        'proof=secret_url',
      ]) {
        await tries(() => cheat.comeBack(`${back}&${query}`));
      }
      await expectStep(friend, 1, 'a return moved a run that was only named in its address');
      await expectStep(cheat, 2, 'a return moved its run by more than a step');
    },
  },
  {
    name: 'plays two runs of one device at once',
    async play({ player, openRun, tries, expect, expectStep }) {
      const cheat = player();
      const second = player({ hwid: cheat.hwid, zone: cheat.zone });
      await openRun(cheat);
      await cheat.takeStep({ step: 1 });
      await second.passCaptcha();
      for (const step of [undefined, 1, 2, 3]) {
        const { page } = await tries(() => second.clickComplete({ step }));
        expect(page === undefined || page.step === 2, `a second run led to ${JSON.stringify(page)}`);
      }
      await expectStep(second, 2, 'a second run was opened beside the first');
    },
  },
  {
    name: 'returns to a run that is over',
    async play({ world, player, leave, tries, expect }) {
      const cheat = player({ app: 'companion' });
      await cheat.passCaptcha();
      const spare = await leave(cheat, { step: 1 });
      for (let step = 1; step <= 3; step++) await cheat.takeStep({ step });
      const key = (await cheat.key())?.key;
      const back = await world.advertisers.finish(spare.link);
      for (let again = 0; again < 3; again++) await tries(() => cheat.comeBack(back));
      expect((await cheat.key())?.key === key, 'a ticket from before the finish changed the key');
    },
  },
];
