import { SERVER_BUNDLE } from '@app/contracts/release';

/** Longer names do not fit into the header of a tar, and no build makes them. */
const LONGEST = 200;

const MEANINGS: readonly [RegExp, string][] = [
  [/^$/, 'is empty'],
  [/\p{Cc}/u, 'contains a control character'],
  [/\P{ASCII}/u, 'contains a character outside ASCII'],
  [/\\/, 'contains a backslash'],
  [/^\/|^[A-Za-z]:/, 'is an absolute path'],
  [/(^|\/)\.\.(\/|$)/, 'contains a part “..”'],
  [/(^|\/)\.(\/|$)/, 'contains a part “.”'],
  [/\/\/|\/$/, 'contains an empty part'],
  [/(^|\/)\./, 'contains a part that begins with a dot'],
  [/[^A-Za-z0-9._~@+/-]/, 'contains a character that no file name here has'],
];

/**
 * Finds why a name cannot be the name of a file in a release. Such a name is a relative path of plain parts, so it stays
 * within its folder, and can be written into an address as it is.
 * @returns the end of a sentence that begins with the name
 */
export function findNameProblem(name: string): string | undefined {
  if (name.length > LONGEST) return `is longer than ${LONGEST} characters`;
  return MEANINGS.find(([pattern]) => pattern.test(name))?.[1];
}

/**
 * Collects names of files that are to lie in one folder, on any disk: also on one that does not tell capitals from small
 * letters.
 */
export function createFileNames() {
  /** The spelling of each file and folder so far, by its spelling in small letters. */
  const spellings = new Map<string, { path: string; isFile: boolean }>();

  return {
    /** Adds a name. Returns what is wrong with it, alone or beside the others. */
    add(name: string): string | undefined {
      const problem = findNameProblem(name);
      if (problem) return problem;

      const parts = name.split('/');
      for (const [nth] of parts.entries()) {
        const path = parts.slice(0, nth + 1).join('/');
        const isFile = nth === parts.length - 1;
        const known = spellings.get(path.toLowerCase());
        if (known && known.path !== path) return `differs from ${known.path} in capitals only`;
        if (known && (known.isFile || isFile))
          return known.isFile && isFile ? 'is there twice' : `makes ${path} both a file and a folder`;
        spellings.set(path.toLowerCase(), { path, isFile });
      }
      return undefined;
    },
  };
}

/** Whether a file of a release is sent to nobody: a source map, or what renders its pages. */
export function isForServer(name: string): boolean {
  return name.endsWith('.map') || name === SERVER_BUNDLE;
}

/** A name as it can stand in a message: of a bounded length, with strange characters escaped. */
export function quoteName(name: string): string {
  const short = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  return short.replaceAll(/[^\x20-\x7e…]/g, (character) =>
    JSON.stringify(character)
      .slice(1, -1)
      .replace(/^[^\\]/, toEscape),
  );
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
