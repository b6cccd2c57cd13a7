/** The server bundle of a shell: a page is a function that gives its HTML, within a frame. */
export const SHELL_BUNDLE = `
exports.sharedPackages = { react: { lib: () => ({ name: 'react of the shell' }) } };
exports.renderPage = async (remote, { path, unit, version, settings, device }) =>
  '<main data-unit="' + unit + '" data-version="' + version + '">' + (await remote.pages[path](settings, device)) + '</main>';
`;

/** The server bundle of a remote. `pages`: the body of the function that makes the page's HTML, by path. */
export function remoteBundle(pages: Readonly<Record<string, string>>): string {
  const functions = Object.entries(pages).map(
    ([path, body]) => `${JSON.stringify(path)}: async (settings, device) => { ${body} }`,
  );
  return `const react = require('react'); exports.default = { pages: { ${functions.join(', ')} } };`;
}
