import { expect, test } from 'vitest';
import debugNamesLoader from './debug-names-loader.ts';

test('displayName is removed, and nothing else', () => {
  const source =
    'var Link = forwardRef(link);\nLink.displayName = "Link";\n  Part.displayName = "form.Part";\nuse(Link);\n';

  expect(debugNamesLoader(source)).toBe('var Link = forwardRef(link);\n\n\nuse(Link);\n');
});

test('displayName that is written in another way stops the build', () => {
  for (const naming of ["Link.displayName = 'Link';", 'Link.displayName="Link",Form.displayName="Form";'])
    expect(() => debugNamesLoader(naming)).toThrow('is not known here');
});
