import { parseArgs } from 'node:util';
import { runBuilders } from '../tools/compatibility/builders.ts';
import { runFederation } from '../tools/compatibility/federation.ts';
import { runGenerators } from '../tools/compatibility/generators.ts';
import { runKeys } from '../tools/compatibility/keys.ts';
import { runStore } from '../tools/compatibility/store.ts';
import { runWaiting } from '../tools/compatibility/waiting.ts';
import { runWebhooks } from '../tools/compatibility/webhooks.ts';
import { runProxies } from '../tools/compatibility/proxies.ts';

/**
 * node scripts/launch.mjs compatibility [<subject> …] [--only <tool>] [--short]
 * Runs the tools of docs/compatibility.md, and fails when one does something else than its row says. It installs those of
 * the npm registry, and leaves out others that this machine does not have. `--only` runs the rows whose tool begins so.
 */
const { values, positionals } = parseArgs({
  // One tool of each subject, which our lock file has.
  options: { only: { type: 'string' }, short: { type: 'boolean', default: false } },
  allowPositionals: true,
});

const SUBJECTS: Record<string, [run: (only?: string) => Promise<boolean>, short?: string]> = {
  // The journey `oldest-browsers` reads what our builder writes.
  builders: [runBuilders],
  keys: [runKeys, 'jose'],
  webhooks: [runWebhooks, 'express'],
  waiting: [runWaiting, 'undici'],
  // Those of our lock file have tests of their own, in `api/src/product/openapi/`.
  generators: [runGenerators],
  proxies: [runProxies, 'nginx: two lines of Vary'],
  store: [runStore, 'node:sqlite: a whole number'],
  // `npm test` plays the host without a builder.
  federation: [runFederation],
};

const unknown = positionals.find((name) => !(name in SUBJECTS));
if (unknown !== undefined) {
  console.error(`No subject is called ${unknown}. There are ${Object.keys(SUBJECTS).join(', ')}.`);
  process.exit(1);
}

let isSame = true;
for (const [name, [run, short]] of Object.entries(SUBJECTS)) {
  if ((positionals.length > 0 && !positionals.includes(name)) || (values.short && short === undefined)) continue;
  isSame = (await run(values.short ? short : values.only)) && isSame;
}
process.exit(isSame ? 0 : 1);
