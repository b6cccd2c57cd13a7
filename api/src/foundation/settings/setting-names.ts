/**
 * Short names such as HOST and PORT are close to many other words, so for them only differences in case and punctuation
 * count.
 */
const SHORTEST_TO_COMPARE = 7;
const MOST_CHANGES = 2;

/** Beginnings that hardly any other program's names have. */
const OUR_PREFIXES = /^(LIVE_MAX_|SIGNING_KEY_|SIGNER_|NEXT_SIGNING_|HWID_|RECAPTCHA_|STRIPE_)/;

/**
 * Finds names that are close to a setting's name but are no setting.
 * @returns a sentence for each, which names the setting that was probably meant
 */
export function findMisspelt(names: readonly string[], known: readonly string[]): string[] {
  return names
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const meant = findClosest(name, known);
      return meant === undefined ? [] : [`${name}: is no setting. Did you mean ${meant}?`];
    });
}

/**
 * Finds names that nobody reads: all of them in our own file, and in the environment those with our prefixes.
 * @param inFile the names that stand in the file `.env`
 */
export function findUnread(names: readonly string[], inFile: readonly string[], known: readonly string[]): string[] {
  return names.filter((name) => !known.includes(name) && (inFile.includes(name) || OUR_PREFIXES.test(name)));
}

function findClosest(name: string, known: readonly string[]): string | undefined {
  const text = bare(name);
  return (
    known.find((candidate) => bare(candidate) === text) ??
    (text.length < SHORTEST_TO_COMPARE ? undefined : known.find((candidate) => isClose(text, bare(candidate))))
  );
}

/** `base-url` and `BASEURL` are spellings of BASE_URL. */
function bare(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

function isClose(a: string, b: string): boolean {
  return (
    b.length >= SHORTEST_TO_COMPARE &&
    Math.abs(a.length - b.length) <= MOST_CHANGES &&
    countChanges(a, b) <= MOST_CHANGES
  );
}

/** How many characters have to be added, removed or replaced to turn one text into the other (Levenshtein distance). */
function countChanges(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
    }
  }
  return row[b.length] ?? 0;
}
