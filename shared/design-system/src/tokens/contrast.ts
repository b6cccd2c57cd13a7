/**
 * The contrast ratio of two colours by WCAG 2, from 1 to 21. The order of the colours does not matter.
 * @param one written as `#rrggbb`, like `other`
 */
export function contrastOf(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/**
 * The colours that a block of a stylesheet sets, by the name of the custom property.
 * @param selector the selector of the block, written like in the stylesheet
 */
export function coloursIn(css: string, selector: string): Map<string, string> {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf('}', start));
  if (start < 0) throw new Error(`The tokens have no block for ${selector}`);

  return new Map(
    [...block.matchAll(/(--[\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', colour = '']) => [name, colour]),
  );
}

/** One of the colours of a block. */
export function colourIn(colours: ReadonlyMap<string, string>, name: string): string {
  const found = colours.get(name);
  if (found === undefined) throw new Error(`The tokens have no ${name}`);

  return found;
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
