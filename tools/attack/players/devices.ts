import { setTimeout as wait } from 'node:timers/promises';
import { STEPS } from '../world/product.ts';
import { offered } from './finish-run.ts';
import { consultOracle } from '../oracles/run-oracle.ts';
import { createPlayer, isOutage, keyOf, pageOf, requireAnswer, type Page, type Player } from './player.ts';
import { createAddresses, type Random } from '../world/random.ts';
import { describe } from '../scenarios/scenario.ts';
import type { World } from '../world/world.ts';

/** How many devices play at the same time. */
const AT_ONCE = 12;
const RETRY_MS = 50;
/** A device without progress for this time counts as stuck. A cluster of which hosts are killed may be away for a minute. */
const PROGRESS_TIMEOUT_MS = 180_000;

/** A killed server may lose the current attempt of a visitor, so runs need more attempts than usual. */
export const DEVICE_LIMITS = {
  attemptsPerHour: 60,
  startsPerHour: 60,
  statesPerMinute: 10_000,
  returnsPerMinute: 10_000,
  challengesPerMinute: 10_000,
  captchasPerMinute: 10_000,
};

/** The facts that the server has acknowledged to a device. */
interface DeviceJournal {
  step: number;
  hasPass: boolean;
  hasRun: boolean;
  key: string | undefined;
  facts: number;
}

interface Device {
  player: Player;
  random: Random;
  journal: DeviceJournal;
}

/**
 * Plays honest devices, one after another at several places, and keeps what the server acknowledges to each.
 * @param onOutage called when a device got no answer, or 500 and above, and asks again
 */
export function simulateDevices(
  world: World,
  { random, onOutage = () => undefined }: { random: Random; onOutage?: (error: unknown) => void },
) {
  const { findings } = world;
  const addresses = createAddresses(random.fork('addresses'), 50);
  const devices: Device[] = [];
  /** While the server is known to be down, no device is compared. */
  const pause = { isDown: false };
  let isEnding = false;
  const working = Array.from({ length: AT_ONCE }, work);

  return {
    devices,
    pause,
    factCount: () => devices.reduce((sum, { journal }) => sum + journal.facts, 0),

    /** Compares what each device was told before with what it is told now. */
    compare: async (): Promise<void> => void (await Promise.all(devices.map(compare))),

    /** Lets all devices come to their keys, and has the oracle examine the tables. */
    async finish(): Promise<void> {
      isEnding = true;
      await Promise.all(working);
      await Promise.all(devices.map(compare));
      const earned = await consultOracle(world);
      for (const { journal, player } of devices)
        if (!earned.has(journal.key ?? ''))
          findings.lost.push(`${player.hwid}: the key that it was given is not among the ones it earned`);
    },
  };

  /** Plays one device after another, each from its captcha to its key, until all kills are done. */
  async function work(): Promise<void> {
    while (!isEnding) {
      const own = random.fork(`device/${devices.length}`);
      const player = createPlayer(world, {
        random: own,
        address: addresses.next(),
        app: own.int(3) === 0 ? 'companion' : 'main',
      });
      const device: Device = {
        player,
        random: own,
        journal: { step: 1, hasPass: false, hasRun: false, key: undefined, facts: 0 },
      };
      devices.push(device);
      await finish(device);
    }
  }

  async function finish({ player, random: own, journal }: Device): Promise<void> {
    let lastFacts = journal.facts;
    let until = Date.now() + PROGRESS_TIMEOUT_MS;
    while (journal.key === undefined) {
      try {
        await goOn(player, own, journal);
      } catch (error) {
        if (!isOutage(error)) {
          findings.refused.push(`${player.hwid} at step ${journal.step}: ${describe(error)}`);
          return;
        }
        onOutage(error);
        await wait(RETRY_MS);
      }
      if (journal.facts > lastFacts) [lastFacts, until] = [journal.facts, Date.now() + PROGRESS_TIMEOUT_MS];
      if (Date.now() > until) {
        findings.refused.push(`${player.hwid} is stuck at step ${journal.step}`);
        return;
      }
    }
  }

  /** Does the next step of a device towards its key, and notes what the server acknowledged. */
  async function goOn(player: Player, own: Random, journal: DeviceJournal): Promise<void> {
    if (!journal.hasPass) {
      const { text } = requireAnswer(await player.handIn(await player.solveCaptcha()));
      if (text === 'true') recordFacts(journal, { hasPass: true });
      return;
    }

    const advertiser = own.pick(offered(player.app, journal.step));
    const { answer, link, page } = await player.clickComplete({ step: journal.step, advertiser });
    requireAnswer(answer);
    if (link === undefined) return follow(player, journal, page);
    if (!journal.hasRun) recordFacts(journal, { hasRun: true });
    await player.dwell();
    const back = await world.advertisers.finish(link);
    await follow(player, journal, await arrive(player, back));
  }

  /** Returns from the advertiser like a browser: when the server says to wait, it asks the same address again. */
  async function arrive(player: Player, back: string): Promise<Page> {
    const { headers, location } = requireAnswer(await player.comeBack(back));
    if (headers.refresh === undefined) return pageOf(location);

    await wait(Number(headers.refresh) * 1000);
    return arrive(player, back);
  }

  /** Follows the server to a page. The page may be ahead of what the server had acknowledged, but never behind it. */
  async function follow(player: Player, journal: DeviceJournal, page: Page): Promise<void> {
    if (page.name === 'getkey') {
      const answer = await keyOf(player);
      if (answer.status !== 'active')
        throw new Error(`The page of the key was shown, and the key is ${JSON.stringify(answer)}`);
      recordFacts(journal, { key: answer.key, step: STEPS[player.app] + 1 });
    } else if (page.name !== 'step') {
      throw new Error(`An honest device was led to ${JSON.stringify(page)}`);
    } else if (page.step > journal.step) {
      recordFacts(journal, { step: page.step, hasRun: true });
    } else if (page.step < journal.step || page.notice === 'KS_CAPTCHA') {
      findings.lost.push(
        `${player.hwid} had passed ${JSON.stringify(journal)}, and was led to ${JSON.stringify(page)}`,
      );
      recordFacts(journal, { step: page.step, hasPass: page.notice !== 'KS_CAPTCHA' });
    }
  }

  /** Compares what one device was told before with what it is told now. */
  async function compare({ player, journal }: Device): Promise<void> {
    const { step, hasRun, key } = { ...journal };
    while (!pause.isDown) {
      try {
        const told = await keyOf(player);
        if (key !== undefined) {
          if (told.key !== key) findings.lost.push(`${player.hwid} had a key, and now has ${JSON.stringify(told)}`);
        } else if (hasRun && !(told.status === 'active' || (told.step ?? 0) >= step)) {
          findings.lost.push(`${player.hwid} stood at step ${step}, and now is told ${JSON.stringify(told)}`);
        }
        return;
      } catch (error) {
        if (!isOutage(error)) throw error;
        await wait(RETRY_MS);
      }
    }
  }
}

function recordFacts(journal: DeviceJournal, facts: Partial<DeviceJournal>): void {
  Object.assign(journal, facts);
  journal.facts += 1;
}
