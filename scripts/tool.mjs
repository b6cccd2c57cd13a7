import { ensureInstalled } from './install.mjs';
import { requireNode } from './node-version.mjs';

/**
 * `node scripts/tool.mjs attack --tries 10` runs scripts/attack.ts. It installs the packages first, which TypeScript
 * needs.
 */
requireNode();
// Beside `npm test`, which compiles SQLite meanwhile.
if (!process.env.PACKAGES_INSTALLED) await ensureInstalled();

const [node = '', , name, ...args] = process.argv;
// The tool gets only its own arguments, as if Node had started it.
process.argv = [node, `${import.meta.dirname}/${name}.ts`, ...args];

const { createJiti } = await import('jiti');
await createJiti(import.meta.url).import(`./${name}.ts`);
