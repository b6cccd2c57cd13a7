import { randomUUID } from 'node:crypto';
import { LONGEST_LIFETIME_MS } from '../fakes/advertisers.ts';
import type { Attack, Scenario } from './scenario.ts';

/** Turns a good return address into a bad one. */
type Spoil = (returnUrl: string, visit: Attack & { link: string; startedAt: number }) => string | Promise<string>;

const STEP_OF = { linkvertise: 1, lootlabs: 1, workink: 2 };
type Spoilable = keyof typeof STEP_OF;

/** The two advertisers that add a proof to the return address. */
const WITH_PROOF: readonly Spoilable[] = ['linkvertise', 'workink'];

/** Ways to spoil a return address. Each is tried with both advertisers of `WITH_PROOF`. */
const SPOILT: Record<string, Spoil> = {
  'without a proof': (returnUrl) => returnUrl,
  'with a garbled proof': (returnUrl, { random }) => {
    const proof = random.pick([
      'TRUE',
      '',
      '0',
      'null',
      'x'.repeat(65),
      'g'.repeat(64),
      '{TOKEN}',
      '%00',
      '<script>',
      "' or 1=1 --",
      'é'.repeat(64),
      'x'.repeat(7000),
    ]);
    return `${returnUrl}?${new URLSearchParams({ hash: proof, token: proof })}`;
  },
  'with an invented proof': (returnUrl, { random }) => `${returnUrl}?hash=${random.hex(64)}&token=${randomUUID()}`,
  'with a proof in lists and objects': (returnUrl, { random }) => {
    const [hash, token] = [random.hex(64), randomUUID()];
    return `${returnUrl}?${random.pick([`hash[]=${hash}&token[]=${token}`, `hash=${hash}&hash=${hash}&token=${token}&token=${token}`, 'hash[length]=64&token[length]=36', `HASH=${hash}&TOKEN=${token}`])}`;
  },
  'with a proof that is too old': (_returnUrl, { world, link }) =>
    world.advertisers.finish(link, { at: world.now() - LONGEST_LIFETIME_MS }),
  'with the proof under the name that another advertiser uses': async (returnUrl, { world, link }) => {
    const proof = new URL(await world.advertisers.finish(link)).searchParams;
    return `${returnUrl}?${new URLSearchParams({ hash: proof.get('token') ?? '', token: proof.get('hash') ?? '' })}`;
  },
};

/** Attempts to return without finishing the visit, or with the proof of another visit. */
export const RETURNING: Scenario[] = [
  ...Object.entries(SPOILT).flatMap(([how, spoil]) =>
    WITH_PROOF.map((advertiser): Scenario => ({
      name: `returns from ${advertiser} ${how}`,
      play: (attack) => refusedReturns(attack, advertiser, spoil),
    })),
  ),
  ...WITH_PROOF.map((advertiser): Scenario => ({
    name: `opens the return of ${advertiser} as link scanners do`,
    play: (attack) => scannedReturns(attack, advertiser),
  })),
  {
    name: 'hoards Work.ink tokens',
    play: (attack) =>
      refusedReturns(attack, 'workink', (_url, { world, link, startedAt }) =>
        world.advertisers.finish(link, { at: startedAt - 1000 }),
      ),
  },
  {
    name: "brings tokens of another owner's Work.ink link",
    play: (attack) =>
      refusedReturns(attack, 'workink', (_url, { world, link }) => world.advertisers.finish(link, { linkId: 666 })),
  },
  {
    name: 'returns from LootLabs without its call',
    play: (attack) =>
      refusedReturns(attack, 'lootlabs', (returnUrl, { random }) =>
        random.pick([returnUrl, `${returnUrl}?unique_id=1&click_id=2`, `${returnUrl}?confirmed=true`]),
      ),
  },
  {
    name: 'returns with a proof that another device has used',
    async play(attack) {
      const { world, player, openRun } = attack;
      const seller = player();
      const { link } = await openRun(seller);
      await seller.dwell();
      // With isKept, the advertiser confirms the same proof twice.
      const sold = await world.advertisers.finish(link, { isKept: true });
      await seller.comeBack(sold);
      await refusedReturns(attack, 'linkvertise', (returnUrl) => `${returnUrl}?${sold.split('?')[1]}`, { most: 1 });
    },
  },
  {
    name: 'uses its own proof for the next step as well',
    async play({ world, player, openRun, leave, tries, expect }) {
      const cheat = player();
      const { link } = await openRun(cheat);
      await cheat.dwell();
      const first = await world.advertisers.finish(link, { isKept: true });
      await cheat.comeBack(first);
      const { returnUrl } = await leave(cheat, { step: 2 });
      await cheat.dwell();
      await tries(() => cheat.comeBack(`${returnUrl}?${first.split('?')[1]}`));
      expect((await cheat.state())?.run === null, 'a proof used twice did not end the run');
    },
  },
  {
    name: 'returns at once, with a real proof',
    async play({ world, player, openRun, tries }) {
      for (let devices = 0; devices < 3; devices++) {
        const cheat = player();
        const { link } = await openRun(cheat);
        const back = await world.advertisers.finish(link, { isKept: true });
        // The oracle checks in the tables that nothing was credited too early.
        for (let early = 0; early < 3; early++) await tries(() => cheat.comeBack(back));
      }
    },
  },
  {
    name: 'returns from Rinku at once',
    async play({ world, player, leave, tries, expectStep }) {
      const cheat = player();
      await cheat.passCaptcha();
      const startedAt = world.now();
      const { link } = await leave(cheat, { advertiser: 'rinku' });
      const back = await world.advertisers.finish(link);
      await tries(() => cheat.comeBack(back));
      const wasEarly = world.now() - startedAt < world.dwellMs;
      await cheat.dwell();
      for (let late = 0; late < 3; late++) await tries(() => cheat.comeBack(back));
      if (wasEarly) await expectStep(cheat, 1, 'an early return counted after all');
    },
  },
];

/**
 * Scenarios with advertisers that answer nonsense. They play when no honest player does, because that one would have to
 * wait.
 */
export const UNHEALTHY = WITH_PROOF.map((advertiser): Scenario => ({
  name: `returns while ${advertiser} talks nonsense`,
  async play(attack) {
    const nonsense = [
      '',
      'TRUE TRUE',
      'TRUE\n1',
      '1',
      'Invalid token.',
      '<html>TRUE</html>',
      '{"valid":true}',
      '{"valid":"true","deleted":true}',
      '{"status":true}',
      'TRUE'.repeat(3000),
    ];
    const refused = (reply: string) =>
      refusedReturns(attack, advertiser, (_url, { world, link }) => world.advertisers.finish(link, { reply }), {
        most: 1,
      });
    await Promise.all(nonsense.map(refused));
  },
}));

/** Others open a return address without a proof. Its owner can still use it, and no device gets a cooldown. */
async function scannedReturns(attack: Attack, advertiser: Spoilable): Promise<void> {
  const { world, player, openRun, leave, random, tries, expect, expectStep } = attack;
  const owner = player();
  const step = STEP_OF[advertiser];
  await openRun(owner);
  if (step === 2) await owner.takeStep();
  const { link, returnUrl } = await leave(owner, { step, advertiser });
  const bare = returnUrl.replace('?token={TOKEN}', '');
  const scanner = player({ hwid: owner.hwid, zone: owner.zone });
  for (const query of random.shuffle(['', '?', '?hash=', '?token=', '?token={TOKEN}', '?utm_source=x', '?fbclid=1'])) {
    const { location } = await tries(() => scanner.comeBack(`${bare}${query}`));
    expect(location?.includes('e=KS_UNFINISHED'), `a return that "${query}" was added to led to ${location}`);
  }
  await expectStep(owner, step, 'a return without a proof was credited');
  await owner.dwell();
  await owner.arrive(await world.advertisers.finish(link));
  await expectStep(owner, step + 1, 'a scanned return no longer took its owner on');
}

/** Makes bad returns until the device has to wait, or `most` of them. None may move the run. */
async function refusedReturns(
  attack: Attack,
  advertiser: Spoilable,
  spoil: Spoil,
  { most = 3 }: { most?: number } = {},
): Promise<void> {
  const { world, player, tries, expectStep } = attack;
  const cheat = player();
  await cheat.passCaptcha();
  if (STEP_OF[advertiser] === 2) await cheat.takeStep();

  for (let bad = 0; bad < most; bad++) {
    const startedAt = world.now();
    const { link, returnUrl } = await cheat.clickComplete({ step: STEP_OF[advertiser], advertiser });
    if (!link) break;
    await cheat.dwell();
    const back = await spoil(returnUrl.replace('?token={TOKEN}', ''), { ...attack, link, startedAt });
    await tries(() => cheat.comeBack(back));
  }
  await expectStep(cheat, STEP_OF[advertiser], 'a bad return was credited', { orNone: true });
}
