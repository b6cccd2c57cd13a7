import { loaderFile } from './unit-folder.ts';

const loader = loaderFile('trim-loader');

/**
 * Rules for packages that bring more than the site uses. A cut changes nothing that a visitor sees: mostly it lets the
 * minimizer see that something is not used.
 */
export const TRIMMED_PACKAGES = [
  {
    // Names for React's tools, and calls that are not marked as pure, keep forms, fetchers and prefetching (3 KB).
    test: /react-router[/\\]dist[/\\]production[/\\]chunk-[^/\\]+\.mjs$/,
    loader,
    options: {
      cuts: [
        [/^\w+\.displayName = "[^"]+";$/gm, ''],
        [/^var (\w+) = (React\d*\.(?:createContext|forwardRef)\()/gm, 'var $1 = /* @__PURE__ */ $2'],
      ],
    },
  },
];
