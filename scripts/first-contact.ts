import { ORDERS } from '../tools/first-contact/orders.ts';
import { openMachine } from '../tools/first-contact/machine.ts';

/**
 * `node scripts/launch.mjs first-contact ["two npm start at once"]` plays what people do first with a clone of what is committed, in
 * empty folders with an empty npm cache. It needs the npm registry and Linux.
 */
const [, , ...names] = process.argv;
const isNamed = (name: string) => names.length === 0 || names.some((part) => name.includes(part));
let failed = Object.keys(ORDERS).some(isNamed) ? 0 : 1;
if (failed > 0) console.error(`No order has these words. There are:\n${Object.keys(ORDERS).join('\n')}`);
for (const [name, play] of Object.entries(ORDERS)) {
  if (!isNamed(name)) continue;
  const machine = openMachine();
  const startedAt = Date.now();
  try {
    await play(machine);
    console.log(`ok      ${name}, ${Math.round((Date.now() - startedAt) / 1000)} s`);
  } catch (error) {
    failed += 1;
    console.log(`failed  ${name}\n${error instanceof Error ? error.message : String(error)}`);
  } finally {
    machine.close();
  }
}
process.exit(failed > 0 ? 1 : 0);
