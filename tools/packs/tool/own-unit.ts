import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';
import { unitSchema } from '../../../shared/contracts/src/release.ts';
import { UsageError } from '../../../api/src/ops/command.ts';

const MANIFEST_NAME = 'package.json';

const manifestSchema = v.looseObject({
  name: unitSchema,
  version: v.string(),
  site: v.optional(v.string()),
  pages: v.optional(v.record(v.string(), v.looseObject({}))),
  dependencies: v.optional(v.record(v.string(), v.string()), {}),
  devDependencies: v.optional(v.record(v.string(), v.string()), {}),
});

/** The unit in the folder where a command runs, by its package.json. */
export interface OwnUnit {
  unit: string;
  version: string;
  /** The site that it is published on, unless the command names another. */
  site: string | undefined;
  /** The pages of a unit that another builder makes, by path: what `routes.ts` says of those of others. */
  pages: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
}

/** @returns undefined where no unit is */
export function findOwnUnit(): OwnUnit | undefined {
  if (!existsSync(MANIFEST_NAME)) return undefined;
  const read = v.safeParse(manifestSchema, parse(readFileSync(MANIFEST_NAME, 'utf8')));
  if (!read.success) return undefined;
  const { name, version, site, pages } = read.output;
  return { unit: name, version, site, pages };
}

/** @throws UsageError where no unit is */
export function requireOwnUnit(): OwnUnit {
  const own = findOwnUnit();
  if (!own) throw new UsageError(`There is no unit here: its ${MANIFEST_NAME} says its name and version.`);
  return own;
}

/**
 * Gives the packages of a site the addresses that it names.
 * @returns the packages whose address was another
 */
export function renewPacks(site: string, packs: Readonly<Record<string, string>>): string[] {
  const text = readFileSync(MANIFEST_NAME, 'utf8');
  const { dependencies, devDependencies } = v.parse(manifestSchema, parse(text));
  const renewed = { dependencies: { ...dependencies }, devDependencies: { ...devDependencies } };
  const changed: string[] = [];
  for (const list of Object.values(renewed))
    for (const [name, address] of Object.entries(packs)) {
      const whole = new URL(address, site).href;
      if (!(name in list) || list[name] === whole) continue;
      list[name] = whole;
      changed.push(name);
    }
  if (changed.length > 0)
    writeFileSync(MANIFEST_NAME, `${JSON.stringify({ ...(parse(text) as object), ...renewed }, null, 2)}\n`);
  return changed;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${MANIFEST_NAME} is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
