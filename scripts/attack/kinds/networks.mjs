import { MANNERS } from '../honest.mjs';

/** Hurting others, and hiding among many devices. */
export const NETWORKS = [
  {
    name: 'earns strikes in the name of another device',
    async play({ player, honest, random, tries }) {
      const victim = honest(MANNERS[0]);
      const cheat = player({ hwid: victim.player.hwid, zone: victim.player.zone, isVictims: true });
      const running = victim.finish();
      for (let strikes = 0; strikes < 8; strikes++) {
        const { returnUrl } = await cheat.press({ step: 1 });
        if (returnUrl) {
          await cheat.dwell();
          await tries(() => cheat.comeBack(`${returnUrl.split('?')[0]}?hash=${random.hex(64)}`));
        } else {
          await tries(() => cheat.comeBack(`/api/keysystem/return/${random.base64url(43)}`));
        }
        cheat.cookies.clear();
      }
      await running;
    },
  },
  {
    name: 'floods the returns of an address that it shares',
    most: 2,
    async play({ player, honest, random, tries }) {
      const victim = honest(MANNERS[0]);
      const cheat = player({ address: victim.player.address });
      const flood = () => tries(() => cheat.comeBack(`/api/keysystem/return/${random.base64url(43)}`));
      for (let burst = 0; burst < 25; burst++) await Promise.all(Array.from({ length: 10 }, flood));
      await victim.finish();
    },
  },
  {
    name: 'changes its device with every run',
    most: 1,
    async play({ world, player, honest, tries, expect }) {
      const address = '203.0.113.7';
      const { soft, hard } = world.networkStarts;
      const costOf = async () => JSON.parse((await player({ address }).send(`/api/captcha/challenge?hwid=device-cost-0001&os=android`, { headers: {} })).text).parameters.cost;
      const usual = await costOf();
      let opened = 0;
      const open = async () => {
        const cheat = player({ address });
        await cheat.passCaptcha();
        const { link } = await tries(() => cheat.press());
        if (link) opened += 1;
      };

      while (opened < soft) await open();
      await open();
      expect((await costOf()) > usual, `past ${soft} runs of one network the captcha costs what it did before`);
      await honest(MANNERS[0], { address: '203.0.113.8' }).finish();
      for (let more = opened; more < hard + 20; more++) await open();
      expect(opened <= hard + 1, `one network opened ${opened} runs within the hour`);
    },
  },
];
