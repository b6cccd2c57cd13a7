/** A query value as one string: what is missing or was given twice (an array) is undefined. */
export function singleString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
