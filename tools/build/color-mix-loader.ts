const DECLARATION_PATTERN = /[\w-]+:[^;{}]*color-mix\([^;{}]*;/g;
/** A mix of two colours, of which each may be a function: `color-mix(in srgb, var(--a) 60%, transparent)`. */
const COLOR_MIX_PATTERN = /color-mix\(in \w+, ((?:[^,()]|\([^()]*\))+?) (\d+)%, ((?:[^,()]|\([^()]*\))+)\)/g;

/**
 * Gives the oldest browsers, which have no `color-mix`, the colour that a mix contains most of.
 * @throws Error for a mix that is written in another way
 */
export default function colorMixLoader(source: string): string {
  return source.replace(DECLARATION_PATTERN, (declaration) => {
    const unmixed = declaration.replace(COLOR_MIX_PATTERN, (_mix, first: string, percent: string, second: string) =>
      Number(percent) > 50 ? first : second,
    );
    if (unmixed.includes('color-mix('))
      throw new Error(`A mix has to name the share of its first colour: ${declaration}`);
    return `${declaration} @supports not (color: color-mix(in srgb, red, red)) { ${unmixed} }`;
  });
}
