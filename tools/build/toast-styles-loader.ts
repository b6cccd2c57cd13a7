/**
 * Gives the custom properties of react-toastify to its own elements instead of the root. Its styles come when the page
 * works already; new properties of the root would then compute the style of every element anew.
 * @throws Error when there are none any more, after an update of the package
 */
export default function toastStylesLoader(source: string): string {
  if (!source.includes(':root')) throw new Error('react-toastify sets no properties of :root: remove this loader');
  return source.replace(':root', '.Toastify');
}
