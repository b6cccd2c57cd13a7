import { setTimeout as wait } from 'node:timers/promises';
import type { Challenge } from '../players/captcha.ts';
import { PLAIN, SLOW } from '../players/personas.ts';
import type { Player } from '../players/player.ts';
import type { Attack, Scenario } from './scenario.ts';

/** Attempts to harm other visitors, and to hide behind many devices or networks. */
export const NETWORKS: Scenario[] = [
  {
    name: 'earns strikes in the name of another device',
    play: (attack) =>
      besideVictim(attack, async ({ random, tries, stranger }) => {
        for (let strikes = 0; strikes < 6; strikes++) {
          const { returnUrl } = await stranger.clickComplete();
          await stranger.dwell();
          await tries(() =>
            stranger.comeBack(`${returnUrl ?? `/api/keysystem/return/${random.base64url(43)}`}?hash=${random.hex(64)}`),
          );
          stranger.cookies.clear();
        }
      }),
  },
  {
    name: 'ends the run of another device with a used proof',
    play: (attack) =>
      besideVictim(attack, async ({ world, random, player, openRun, tries, stranger }) => {
        const own = player();
        const { link } = await openRun(own);
        await own.dwell();
        const used = await world.advertisers.finish(link, { isKept: true });
        await own.comeBack(used);
        // Without a link where the victim has finished meanwhile.
        const { returnUrl = `/api/keysystem/return/${random.base64url(43)}` } = await stranger.clickComplete();
        await stranger.dwell();
        await tries(() => stranger.comeBack(`${returnUrl}?${used.split('?')[1]}`));
      }),
  },
  {
    name: 'uses up the tries of another device',
    play: (attack) =>
      besideVictim(attack, async ({ tries, stranger }) => {
        for (let clicks = 0; clicks < 15; clicks++) {
          await tries(() => stranger.clickComplete());
          stranger.cookies.clear();
        }
      }),
  },
  {
    name: 'uses up the tries of another device from ten networks',
    most: 1,
    async play({ player, openRun, tries, expect }) {
      const owner = player();
      await openRun(owner);
      for (let network = 0; network < 11; network++) {
        const stranger = player({
          hwid: owner.hwid,
          zone: owner.zone,
          isVictims: true,
          address: `198.19.${network}.9`,
        });
        await tries(async () => {
          for (let clicks = 0; clicks < 10; clicks++) await stranger.clickComplete();
        }, 10);
      }
      const { link } = await owner.clickComplete({ step: 1 });
      expect(link, 'strangers in ten networks used up the tries of the browser that began the run');
    },
  },
  {
    name: 'floods the returns of an address that it shares',
    most: 2,
    async play({ player, honest, random, tries }) {
      const victim = honest(PLAIN);
      const cheat = player({ address: victim.player.address });
      const flood = () => tries(() => cheat.comeBack(`/api/keysystem/return/${random.base64url(43)}`));
      for (let burst = 0; burst < 25; burst++) await Promise.all(Array.from({ length: 10 }, flood));
      await victim.finish();
    },
  },
  {
    name: 'changes its device with every run',
    most: 1,
    async play({ player, honest, networkStarts, tries, expect }) {
      const address = '203.0.113.7';
      const { soft, hard } = networkStarts;
      const costOf = async () => {
        const path = '/api/captcha/challenge?hwid=device-cost-0001&os=android';
        const { text } = await player({ address }).send(path, { headers: {} });
        return (JSON.parse(text) as Challenge).parameters.cost;
      };
      const usual = await costOf();
      let opened = 0;
      const open = async () => {
        const cheat = player({ address });
        await cheat.passCaptcha();
        const { link } = await tries(() => cheat.clickComplete());
        if (link) opened += 1;
      };

      while (opened < soft) await open();
      await open();
      expect((await costOf()) > usual, `past ${soft} runs of one network the captcha costs what it did before`);
      await honest(PLAIN, { address: '203.0.113.8' }).finish();
      for (let more = opened; more < hard + 20; more++) await open();
      expect(opened <= hard + 1, `one network opened ${opened} runs within the hour`);
    },
  },
];

/** Plays a stranger in another network who knows the victim's device id, while the victim plays a run. */
async function besideVictim(
  attack: Attack,
  play: (attack: Attack & { stranger: Player }) => Promise<void>,
): Promise<void> {
  const victim = attack.honest(SLOW);
  const { hwid, zone } = victim.player;
  const stranger = attack.player({ hwid, zone, isVictims: true, address: `198.18.${attack.random.int(250)}.9` });
  let isOver = false;
  const finished = victim.finish().finally(() => {
    isOver = true;
  });

  while (!isOver && !(await stranger.state())?.run) await wait(attack.world.dwellMs / 4);
  await play({ ...attack, stranger });
  await finished;
}
