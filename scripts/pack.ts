import { packAll } from '../tools/units/pack.ts';

/** `node scripts/launch.mjs pack ./packs` packs the shared packages and the build preset, and prints the files. */
const [outFolder] = process.argv.slice(2);
if (!outFolder) throw new Error('Say into which folder to pack');
for (const file of await packAll(outFolder)) console.log(file);
