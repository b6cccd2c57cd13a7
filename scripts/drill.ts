import { buildOutdated } from '../tools/units/build-units.ts';
import { openTestSite } from '../tools/drill/test-site.ts';
import { STEPS } from '../tools/drill/steps.ts';

/**
 * `node scripts/launch.mjs drill` walks the way of a team from an empty repository to a release that is rolled back, on a site with
 * data of its own. It prints each step as a person would read it, and fails with the name of the step.
 */
await buildOutdated();
const site = openTestSite(console.log);
const left = { token: '', others: '', othersToken: { code: 0, text: '' } };

try {
  for (const [name, act] of STEPS) {
    console.log(`\n${name}`);
    const pid = site.pid();
    try {
      await act(site, left);
    } catch (error) {
      console.error(`\nFailed: ${name}\n  ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
      break;
    }
    if (pid !== undefined && site.pid() !== pid) throw new Error('The site was restarted.');
  }
  if (process.exitCode === undefined) console.log(`\nAll ${STEPS.length} steps are as they should be.`);
} finally {
  await site.close();
}
