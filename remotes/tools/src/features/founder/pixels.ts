/**
 * Makes the paths of a drawing whose pixels are letters, one path for each letter. Points are transparent.
 * @returns letter → path data, one unit a pixel
 */
export function pathsOf(rows: readonly string[]): [letter: string, path: string][] {
  const paths = new Map<string, string>();
  for (const [y, row] of rows.entries())
    for (const { 0: run, index } of row.matchAll(/([^.])\1*/g)) {
      const letter = run.charAt(0);
      paths.set(letter, `${paths.get(letter) ?? ''}M${index} ${y}h${run.length}v1h-${run.length}z`);
    }
  return [...paths];
}
