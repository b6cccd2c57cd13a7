/** Joins class names to the value of a `className`. It leaves out `false` and `undefined`. */
export function joinClasses(...names: readonly (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
