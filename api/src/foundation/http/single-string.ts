/** A query value as one string; undefined when it is missing or was given twice (an array). */
export function singleString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
