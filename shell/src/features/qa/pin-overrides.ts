import type { Resolution } from '@app/contracts/resolution';
import { showToast } from '@app/platform';
import { messageOf, putPins } from './qa-calls.ts';

/** Where the Chrome extension of Module Federation says what is to be loaded instead: a version, or a manifest. */
const OVERRIDES_KEY = '__MF_DEVTOOLS__';
/** The units that are pinned here because the extension said so. */
const PINNED_UNITS_KEY = 'pinned-by-extension';

/** The manifest of a release, on this site or another. */
const MANIFEST_URL_PATTERN = /\/releases\/[^/]+\/([^/]+)\/mf-manifest\.json$/;

/** Pins what the extension overrides, so that the server judges it as every pin, and loads the page anew. */
export async function pinOverrides({ qa, units }: Resolution): Promise<void> {
  if (!qa?.access) return;
  const overrides = readOverrides();
  const pinned = readStorage(PINNED_UNITS_KEY).split(' ');
  const ofPeople = Object.entries(qa.pins).filter(([unit]) => !pinned.includes(unit));
  const pins = { ...Object.fromEntries(ofPeople), ...overrides };
  if (areRecordsEqual(pins, qa.pins)) return;

  const faults = Object.entries(units).flatMap(([unit, { fault }]) => (fault ? [[unit, fault] as const] : []));
  try {
    await putPins({ pins, faults: Object.fromEntries(faults) });
    localStorage.setItem(PINNED_UNITS_KEY, Object.keys(overrides).join(' '));
    location.reload();
  } catch (error) {
    showToast(messageOf(error));
  }
}

/** Unit → the version that the extension wants. What is no version is for the server to refuse, which says why. */
function readOverrides(): Record<string, string> {
  const { overrides = {} } = JSON.parse(readStorage(OVERRIDES_KEY) || '{}') as { overrides?: Record<string, string> };
  return Object.fromEntries(
    Object.entries(overrides).map(([unit, wanted]) => [unit, MANIFEST_URL_PATTERN.exec(wanted)?.[1] ?? wanted]),
  );
}

/** Some browsers forbid the storage. */
function readStorage(key: string): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function areRecordsEqual(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  const names = new Set(Object.keys({ ...one, ...other }));
  return [...names].every((name) => one[name] === other[name]);
}
