import { checkOut, makeBuyer, requirePlan } from '../players/buying.ts';
import { readMails, waitForToken } from '../players/operator.ts';
import type { Attack, Scenario } from './scenario.ts';
import type { Player } from '../players/player.ts';

const CALLS = ['reset-details', 'confirmresetdevices', 'claim-details', 'confirm-claim'] as const;
/** How many links of one address work at the same time: thirty that add a device, and three that reset devices. */
const MOST_LINKS = 33;

/** Attempts to use the links of mails, and the forms that send them. */
export const LINKS: Scenario[] = [
  {
    name: 'guesses the links of mails',
    async play({ player, random, tries, expect }) {
      const cheat = player();
      for (const call of CALLS)
        for (const token of [
          random.base64url(43),
          random.base64url(42),
          '',
          null,
          [random.base64url(43)],
          { $gt: '' },
        ]) {
          const { status, text } = await tries(() => cheat.post(`/api/${call}`, { token }));
          expect(
            status === 410 || status === 400,
            `${call} with ${JSON.stringify(token)}: ${status} ${text}`,
            'unpaid',
          );
        }
    },
  },
  {
    name: 'uses a link twice, elsewhere, and by GET',
    most: 5,
    async play(attack) {
      const { world, player, tries, expect } = attack;
      const { owner, email } = await buyPlan(attack);
      const added = player();
      await added.post('/api/claim-plan', { email, hwid: added.hwid });
      const token = await waitForToken(world, email);

      for (const call of CALLS) {
        const { status, text } = await tries(() => added.send(`/api/${call}?token=${token}`));
        // What reads a link has a form of its own for GET, which takes nothing from the address.
        const isRight = call.endsWith('-details') ? status === 200 && !text.includes(token) : status === 405;
        expect(isRight, `GET ${call} was answered ${status}`);
      }
      const { status } = await tries(() => added.post('/api/confirmresetdevices', { token }));
      expect(status === 410, `a link that adds a device resets them: ${status}`);
      world.claimed.add(added.hwid);
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => tries(() => player().post('/api/confirm-claim', { token }))),
      );
      const statuses = answers.map((answer) => answer.status).sort();
      expect(statuses.join() === '200,410,410,410,410', `one link was answered ${statuses.join()}`, 'doubled');
      for (const device of [owner, added]) await requirePlan({ player: device, world }, 'premium');
    },
  },
  {
    name: 'adds more devices than a plan has places',
    most: 5,
    async play(attack) {
      const { world, player, tries, expect } = attack;
      const { email } = await buyPlan(attack);
      const known: string[] = [];
      const added = [player(), player(), player()];
      const statuses: number[] = [];
      for (const device of added) {
        world.claimed.add(device.hwid);
        await device.post('/api/claim-plan', { email, hwid: device.hwid });
        known.push(await waitForToken(world, email, known));
        for (const token of known)
          statuses.push((await tries(() => device.post('/api/confirm-claim', { token }))).status);
      }
      // The first link adds a device and is used up. Each further one finds no place, and still works.
      expect(statuses.join() === '200,410,409,410,409,409', `three links were answered ${statuses.join()}`, 'unpaid');
      const plans = await Promise.all(added.map((device) => device.key()));
      expect(
        plans.filter((told) => told?.status === 'active').length === 1,
        'a plan is on more devices than it has places',
        'unpaid',
      );
    },
  },
  {
    name: 'floods the mailbox of another',
    most: 3,
    async play(attack) {
      const { world, player, random, tries, expect } = attack;
      const { email } = await buyPlan(attack);
      for (let times = 0; times < MOST_LINKS + 7; times++) {
        const cheat = player({ address: `198.21.${random.int(250)}.${1 + random.int(250)}` });
        const spelling = random.pick([email, email.toUpperCase(), ` ${email} `]);
        await tries(() => cheat.post('/api/claim-plan', { email: spelling, hwid: cheat.hwid }));
        await tries(() => cheat.post('/api/requestresetdevices', { email: spelling }));
      }
      const links = (await readMails(world, email)).filter((mail) => mail.includes('#t='));
      expect(links.length <= MOST_LINKS, `${links.length} mails with links went to one address`);
    },
  },
  {
    name: 'writes headers into a mail',
    async play({ player, random, tries, expect }) {
      const cheat = player({ address: `198.22.${random.int(250)}.${1 + random.int(250)}` });
      for (const end of ['\r\nBcc: a@b.example', '\nSubject: x', '\u2028x', ',c@d.example\r\n', '\u0000', '>']) {
        const email = `${random.hex(12)}@mail.example${end}`;
        const { status } = await tries(() => cheat.post('/api/requestresetdevices', { email }));
        expect(status === 400 || status === 404, `${JSON.stringify(email)} was answered ${status}`);
      }
    },
  },
];

/** A player with a plan that was paid. */
export async function buyPlan({ world, player, random }: Attack): Promise<{ owner: Player; email: string }> {
  const owner = player();
  const buyer = makeBuyer(random);
  const session = await checkOut({ player: owner, world }, { plan: 'premium' });
  await world.stripe.deliver(world.stripe.pay(session, buyer));
  return { owner, email: buyer.email };
}
