import { BuildError, buildRelease } from '../tools/units/build-units.ts';

/** `node scripts/build-release.ts key-system ./var/built [--preview]` builds a release and prints its folder. */
const [unit, outFolder, kind] = process.argv.slice(2);
if (!unit || !outFolder) throw new Error('Say which unit to build, and into which folder');
try {
  console.log(await buildRelease(unit, outFolder, { output: process.stderr, isPreview: kind === '--preview' }));
} catch (error) {
  if (!(error instanceof BuildError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
