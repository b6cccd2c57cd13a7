import { loaderFile } from './unit-folder.ts';

const loader = loaderFile('trim-loader');

/**
 * Rules for packages that bring more than the site uses. A cut changes nothing that a visitor sees: mostly it lets the
 * minimizer see that something is not used.
 */
export const TRIMMED_PACKAGES = [
  {
    // Nothing says that making a schema has no effect, so a page would contain the schemas that only the server needs.
    test: /[/\\](?:@app|shared)[/\\]contracts[/\\]src[/\\][^/\\]+\.ts$/,
    loader,
    options: { cuts: [[/\bv\.\w+\(/g, '/* @__PURE__ */ $&']] },
  },
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
  {
    // The setting that leaves the plugin for manifests out of the runtime leaves its larger half in (1.5 KB).
    test: /@module-federation[/\\]runtime-core[/\\]dist[/\\]core\.js$/,
    loader,
    options: { cuts: [['USE_REMOTE ? new SnapshotHandler(this)', 'USE_SNAPSHOT ? new SnapshotHandler(this)']] },
  },
  {
    // A visitor debugs nothing, and to ask the browser's storage takes a slow phone 20 ms.
    test: /@module-federation[/\\]sdk[/\\]dist[/\\]env\.js$/,
    loader,
    options: { cuts: [['return isBrowserDebug();', 'return false;']] },
  },
  {
    // Nobody calls it: a page's document names what it needs early (0.7 KB).
    test: /@module-federation[/\\]runtime-core[/\\]dist[/\\]remote[/\\]index\.js$/,
    loader,
    options: { cuts: [[/\tasync preloadRemote\(preloadOptions\) \{\n[\s\S]*?\n\t\}\n/, '']] },
  },
  {
    // It comes after the page works. Properties of the root would then compute the style of every element anew.
    test: /react-toastify[/\\]dist[/\\]ReactToastify\.css$/,
    loader,
    options: { cuts: [[':root', '.Toastify']] },
  },
];
