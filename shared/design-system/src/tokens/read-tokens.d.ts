/** What the test of the tokens needs of Node. The parts themselves run in browsers and must not see its globals. */
declare module 'node:fs' {
  export function readFileSync(path: URL, encoding: 'utf8'): string;
}
