import { buildOutdated } from '../tools/units/build-outdated.ts';
import { openStage } from '../tools/drill/stage.ts';
import { STEPS } from '../tools/drill/steps.ts';

/**
 * `npm run drill` walks the way of a team from an empty repository to a release that is rolled back, on a site with
 * data of its own. It prints each step as a person would read it, and fails with the name of the step.
 */
await buildOutdated();
const stage = openStage(console.log);
const left = { token: '', others: '', othersToken: { code: 0, text: '' } };

try {
  for (const [name, act] of STEPS) {
    console.log(`\n${name}`);
    const pid = stage.pid();
    try {
      await act(stage, left);
    } catch (error) {
      console.error(`\nFailed: ${name}\n  ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
      break;
    }
    if (pid !== undefined && stage.pid() !== pid) throw new Error('The site was started anew.');
  }
  if (process.exitCode === undefined) console.log(`\nAll ${STEPS.length} steps are as they should be.`);
} finally {
  await stage.close();
}
