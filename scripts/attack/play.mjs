import { createAddresses } from './addresses.mjs';
import { MANNERS } from './honest.mjs';
import { judge } from './judge.mjs';
import { CLOCK, KINDS, UNWELL } from './kinds/kinds.mjs';
import { createPlayer, SCRIPTED } from './player.mjs';
import { createRandom } from './random.mjs';
import { openWorld } from './world.mjs';

/** How many play at the same time. */
const AT_ONCE = 24;
/** One honest player for so many hostile tries; each manner is played in any case. */
const TRIES_PER_HONEST = 40;
/** Tries for each network, so that only the kind that means to exceeds what one network may open. */
const TRIES_PER_NETWORK = 120;
/** Low enough that one kind can go past both, and still seen by nobody else. */
const NETWORK_STARTS = { soft: 40, hard: 80 };

/** Advertisers are made to answer nonsense so often; one that did would be left alone much sooner. */
const UNWELL_ANSWERS = 100;

/**
 * Plays every kind of attack, again and again until there were enough tries, with honest people in between.
 * @returns tries by kind, how many people were honest, and everything that was found to be wrong
 */
export async function playAttack({ seed, tries, postgres }) {
  const random = createRandom(seed);
  const world = await openWorld({
    random,
    postgresUrl: postgres?.url,
    limits: { networkStartsPerHour: NETWORK_STARTS, advertiserFailures: UNWELL_ANSWERS },
  });
  const { findings } = world;
  const addresses = createAddresses(random.fork('addresses'), Math.max(12, Math.ceil(tries / TRIES_PER_NETWORK)));
  const counts = new Map([...KINDS, ...UNWELL, ...CLOCK].map(({ name }) => [name, 0]));
  const total = () => [...counts.values()].reduce((sum, count) => sum + count, 0);
  const suspects = [];
  let honestCount = 0;

  try {
    world.networkStarts = NETWORK_STARTS;
    world.jwks = JSON.parse((await world.client.ask('/.well-known/jwks.json')).text);
    const exhibits = await Promise.all([MANNERS[0], MANNERS.find(({ app }) => app === 'companion')].map(makeExhibit));

    await atOnce(AT_ONCE, mixed());
    const waiting = await Promise.all(
      CLOCK.map(async (kind) => ({ kind, held: await kind.prepare(attackOf(kind, 'clock')) })),
    );
    await Promise.all(UNWELL.map((kind) => guarded(kind, () => kind.play(attackOf(kind, 'unwell')))));
    const { earned } = await judgeAll();

    for (const afterMs of [...new Set(CLOCK.map((kind) => kind.afterMs))].sort((a, b) => a - b)) {
      await world.moveClock(afterMs);
      for (const { kind, held } of waiting)
        if (kind.afterMs === afterMs) await guarded(kind, () => kind.play(attackOf(kind, 'clock'), held));
    }
    const after = await world.database.rows('select jws from access_key');
    for (const { jws } of after)
      if (!earned.has(jws)) findings.keys.push(`after the clock had moved there was a key that nobody earned: ${jws}`);
    for (const line of world.server.loggedErrors()) findings.errors.push(line.slice(0, 1000));

    /** A device whose key everybody may try their tricks on. */
    async function makeExhibit(manner) {
      const person = honest(manner);
      await person.finish();
      return { player: person.player, key: (await person.player.key())?.key };
    }

    /** What a kind of attack is played with. */
    function attackOf(kind, label) {
      const own = random.fork(`${kind.name}/${label}`);
      const attack = {
        world,
        random: own,
        exhibits,
        jwk: world.jwks.keys[0],
        honest,
        /** @param isVictims whether the device belongs to somebody honest, who may well have a key */
        player({ isVictims, ...options } = {}) {
          const player = createPlayer(world, { random: own, address: addresses.next(), ...options });
          if (!isVictims) suspects.push(player);
          return player;
        },
        /** Does something hostile, and counts it. */
        async tries(play, count = 1) {
          counts.set(kind.name, counts.get(kind.name) + count);
          return play();
        },
        expect(isSo, what, finding = 'rules') {
          if (!isSo) findings[finding].push(`${kind.name}: ${what}`);
        },
        /** A captcha, solved and handed in, and the first press of the button. */
        async openRun(player, press) {
          await player.passCaptcha();
          const departure = await player.press(press);
          if (!departure.link)
            throw new Error(`No run was opened: ${departure.answer.status} ${departure.answer.location}`);
          return departure;
        },
        /** @param orNone whether the run may also have come to its end */
        async expectStep(player, step, what, { orNone = false } = {}) {
          const state = await player.state();
          if (!state) throw new Error('The state could not be read');
          attack.expect(
            state.run ? state.run.step === step : orNone && !state.key,
            `${what}: step ${state.run?.step} instead of ${step}`,
            'steps',
          );
        },
        /** Nothing was broken, and nothing was given away. */
        expectNothing({ status, text }) {
          attack.expect(
            status < 500 && !text.includes('"active"') && !/\bat .*\.(ts|js):\d+/.test(text),
            `an odd request was answered ${status} ${text.slice(0, 200)}`,
          );
        },
        post: (player, path, body) =>
          player.send(path, {
            method: 'POST',
            headers: { ...SCRIPTED, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }),
      };
      return attack;
    }

    /** Somebody who does nothing wrong. `finish` plays them to their key, and notes when they do not get it. */
    function honest(manner, options = {}) {
      honestCount += 1;
      const own = random.fork(`honest/${honestCount}`);
      const { app = 'main', os, zone } = manner;
      const player = createPlayer(world, {
        random: own,
        address: addresses.next(),
        app,
        ...(os && { os }),
        ...(zone !== undefined && { zone }),
        ...options,
      });
      return {
        player,
        async finish() {
          try {
            await manner.play({ player, world, random: own, newAddress: () => addresses.next() });
          } catch (error) {
            findings.refused.push(
              `somebody who ${manner.name} (${player.hwid}, ${player.address}): ${error.stack ?? error.message}`,
            );
          }
        },
      };
    }

    /** Kinds and manners in turns, in an order that the seed decides, until there were enough tries. */
    function* mixed() {
      let round = 0;
      let owed = MANNERS.length * 2;
      const manners = [];
      while (total() < tries || round === 0) {
        for (const kind of random.shuffle(KINDS)) {
          if (round >= (kind.most ?? Infinity)) continue;
          const label = round;
          yield () => guarded(kind, () => kind.play(attackOf(kind, label)));
          if (manners.length === 0) manners.push(...random.shuffle(MANNERS));
          if (honestCount < Math.max(owed, total() / TRIES_PER_HONEST)) yield honest(manners.pop()).finish;
          if (round > 0 && total() >= tries) break;
        }
        round += 1;
      }
      while (honestCount < owed) yield honest(manners.pop() ?? random.pick(MANNERS)).finish;
    }

    async function guarded(kind, play) {
      try {
        await play();
      } catch (error) {
        findings.unplayed.push(`${kind.name}: ${error.stack ?? error.message}`);
      }
    }

    /** The tables, and what every hostile device is told. */
    async function judgeAll() {
      const found = await judge(world);
      findings.keys.push(...found.keys);
      findings.steps.push(...found.steps);
      findings.rules.push(...found.rules);
      await atOnce(
        AT_ONCE,
        suspects.map((player) => async () => {
          const answer = await player.key();
          if (answer?.status === 'active' && !found.earned.has(answer.key))
            findings.keys.push(`${player.hwid} has a key that it did not earn`);
        }),
      );
      return found;
    }

    return {
      seed,
      database: world.database.name,
      counts,
      tries: total(),
      requests: world.requests,
      honest: honestCount,
      findings,
    };
  } finally {
    await world.close();
  }
}

/** Runs what comes out of a list or a generator, so many at a time. */
async function atOnce(count, plays) {
  const queue = plays[Symbol.iterator]();
  const work = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await next.value();
  };
  await Promise.all(Array.from({ length: count }, work));
}
