import { parseArgs } from 'node:util';
import { playCluster } from '../tools/attack/cluster/play-cluster.ts';
import { printDetails, printReport } from '../tools/attack/report.ts';
import { soak } from '../tools/attack/soak.ts';
import { chromiumPath } from '../tools/machine/browsers.ts';
import { runAndKeep } from '../tools/machine/run.ts';
import { soakSamples } from '../tools/samples/soak-samples.ts';
import { FURTHER_JOURNEYS } from '../tools/test-run/further-journeys.ts';
import { buildOutdated } from '../tools/units/build-units.ts';

/**
 * npm run soak [-- --tries 20000] [--kills 30] [--starts 100] [--purchases 2000] [--checkout-kills 20]
 *   [--publications 30] [--chaos 1000] [--seed 1]
 *   [--each-once] [--no-matrix]
 * npm run soak -- cluster [--rounds 10] [--seed 1] [--short]
 * npm run soak -- samples [--chaos 1000] [--seed 1] [--each-once]
 * npm run soak -- compatibility
 * Attacks and kills servers, plays the samples' clients where everything goes wrong, then plays what `npm test` leaves
 * out: the way of a team, tools of other people, and journeys in further windows, units and advertisers. With `cluster` it
 * plays the servers, the proxy and the replicated database of `node scripts/launch.mjs cluster` alone, with `samples` the
 * samples' clients alone, with `compatibility` the tools of docs/compatibility.md alone. `npm test` does the same in a
 * short form.
 */
const count = (amount: number) => ({ type: 'string', default: String(amount) }) as const;
const { values, positionals } = parseArgs({
  options: {
    tries: count(20_000),
    kills: count(30),
    starts: count(100),
    purchases: count(2000),
    'checkout-kills': count(20),
    publications: count(30),
    rounds: count(10),
    chaos: count(1000),
    seed: { type: 'string' },
    'each-once': { type: 'boolean', default: false },
    matrix: { type: 'boolean', default: true },
    short: { type: 'boolean', default: false },
  },
  allowNegative: true,
  allowPositionals: true,
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const counts = {
  tries: Number(values.tries),
  kills: Number(values.kills),
  starts: Number(values.starts),
  purchases: Number(values.purchases),
  checkoutKills: Number(values['checkout-kills']),
  publications: Number(values.publications),
};
const verdicts: boolean[] = [];

await buildOutdated();
if (positionals.includes('cluster')) {
  verdicts.push(printReport(await playCluster({ seed, rounds: Number(values.rounds), isShort: values.short })));
} else if (positionals.includes('samples')) {
  verdicts.push(await playSamples());
} else if (positionals.includes('compatibility')) {
  verdicts.push(await runScript('compatibility'));
} else {
  console.log(`Attacking and killing with seed ${seed}`);
  verdicts.push(await soak(seed, counts, values['each-once']));
  if (values.matrix) {
    verdicts.push(await playSamples(), await runScript('first-contact'), await runScript('drill'));
    verdicts.push(await runScript('install-builders'), await runScript('compatibility'));
    verdicts.push(await runScript('playwright', 'test', '--grep', FURTHER_JOURNEYS));
  }
}
printDetails();
process.exit(verdicts.every(Boolean) ? 0 : 1);

function playSamples(): Promise<boolean> {
  return soakSamples({ seed, rounds: Number(values.chaos), isEachOnce: values['each-once'] });
}

async function runScript(...script: string[]): Promise<boolean> {
  const env = { ...process.env, CHROMIUM: chromiumPath() };
  const { isOk } = await runAndKeep(process.execPath, ['scripts/launch.mjs', ...script], { env });
  return isOk;
}
