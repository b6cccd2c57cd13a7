const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** What was good once. Each prepares something, lets the clock go on, and comes back with it. */
export const CLOCK = [
  {
    name: 'returns with an expired ticket',
    afterMs: 16 * MINUTE,
    async prepare({ player, openRun }) {
      const cheat = player();
      return { cheat, ...(await openRun(cheat)) };
    },
    async play({ world, tries, expectStep }, { cheat, link }) {
      const back = await world.advertisers.finish(link, { isKept: true });
      for (let again = 0; again < 5; again++) await tries(() => cheat.comeBack(back));
      await expectStep(cheat, 1, 'an expired ticket was taken');
    },
  },
  {
    name: 'hands in an expired solution',
    afterMs: 16 * MINUTE,
    async prepare({ player }) {
      const cheat = player();
      return { cheat, token: await cheat.solveCaptcha() };
    },
    async play({ tries, expect }, { cheat, token }) {
      for (let again = 0; again < 5; again++) {
        const { text } = await tries(() => cheat.handIn(token));
        expect(text !== 'true', 'an expired solution was taken');
      }
    },
  },
  {
    name: 'opens a run with an expired pass',
    afterMs: 16 * MINUTE,
    async prepare({ player }) {
      const cheat = player();
      await cheat.passCaptcha();
      return { cheat };
    },
    async play({ tries, expect }, { cheat }) {
      for (let again = 0; again < 5; again++) {
        const { link } = await tries(() => cheat.press());
        expect(!link, 'an expired pass opened a run');
      }
    },
  },
  {
    name: 'goes on with an expired run',
    afterMs: 25 * HOUR,
    async prepare({ player, openRun }) {
      const cheat = player();
      await openRun(cheat);
      await cheat.takeStep({ step: 1 });
      return { cheat, ...(await cheat.press({ step: 2 })) };
    },
    async play({ world, tries, expect }, { cheat, link }) {
      const back = await world.advertisers.finish(link, { isKept: true });
      for (let again = 0; again < 3; again++) {
        await tries(() => cheat.comeBack(back));
        const pressed = await tries(() => cheat.press({ step: 2 }));
        expect(!pressed.link, 'an expired run went on');
      }
      expect((await cheat.state())?.run === null, 'an expired run is shown as open');
    },
  },
  {
    name: 'shows an expired key',
    afterMs: 25 * HOUR,
    prepare: () => ({}),
    async play({ exhibits, player, tries, expect, post }) {
      for (const { player: owner, key } of exhibits) {
        const verdict = await tries(() => post(player(), '/api/key/verify', { key, hwid: owner.hwid, app: owner.app }));
        expect(/"EXPIRED"/.test(verdict.text), `a key from yesterday is ${verdict.text}`, 'keys');
        const answer = await tries(() => owner.key());
        expect(answer?.status === 'none', `the app is told of a key from yesterday: ${answer?.status}`, 'keys');
      }
    },
  },
];
