import { containerNameOf } from './release.ts';
import type { ResolvedUnit } from './resolution.ts';
import type { Unit } from './unit.ts';

/** The version of each build of `npm run dev -- <unit> --against <site>`: a site has to know it without asking. */
export const WORKING_COPY = '0.0.0-working-copy';

/** The name under which a computer serves the entry of its newest build. */
export const LOCAL_ENTRY = 'remoteEntry.js';

/** Below this address a computer has what is not of a site: the script that shows edits, and its events. */
export const EDITING_PATH = '/dev/edited-unit';

/** The entry of a unit on the computer of a browser. Each edit changes the file, so it has no hash. */
export function localEntry(unit: Unit, origin: string): ResolvedUnit['entry'] {
  const globalName = containerNameOf(unit, WORKING_COPY);
  return { url: `${origin}/releases/${unit}/${LOCAL_ENTRY}`, integrity: '', globalName };
}
