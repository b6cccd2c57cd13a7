const DISPLAY_NAME_PATTERN = /^[ \t]*\w+\.displayName = "[^"]+";$/gm;

/**
 * Leaves out the names that a package gives its components for React's tools, because each keeps its component in the
 * bundle.
 * @throws Error when a name is left, so that an update which writes them in another way stops the build
 */
export default function debugNamesLoader(source: string): string {
  const nameless = source.replace(DISPLAY_NAME_PATTERN, '');
  if (nameless.includes('displayName'))
    throw new Error('The package names its components in a way that is not known here');
  return nameless;
}
