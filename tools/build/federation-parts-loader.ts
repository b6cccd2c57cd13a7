interface Part {
  /** The end of the file's path. */
  file: string;
  /** What is taken out, from the beginning of the first text up to the second, which stays. */
  cuts: readonly (readonly [from: string, to: string])[];
  /** What is put before what is left. */
  instead?: string;
}

const MISSING_PART_CODE = 'throw new Error("This part of the federation runtime is not in the build");';

/**
 * Parts of the federation runtime that only sites with manifests, with its own preloading, or with entries that it fetches
 * itself use. Its options leave out others (`defineShell`), but none of these.
 */
const PARTS: readonly Part[] = [
  {
    file: 'runtime-core/dist/plugins/snapshot/SnapshotHandler.js',
    cuts: [['import ', 'export { ']],
    instead:
      'import { DisabledSnapshotHandler as SnapshotHandler } from "./disabled.js";\n' +
      `const getGlobalRemoteInfo = () => { ${MISSING_PART_CODE} };\n`,
  },
  {
    file: 'runtime-core/dist/remote/index.js',
    cuts: [
      ['\tasync preloadRemote(', '\tregisterRemotes('],
      ['\tremoveRemote(', '};\n\n//#endregion'],
    ],
  },
  {
    file: 'runtime-core/dist/utils/load.js',
    cuts: [['async function loadEntryDom(', 'async function loadEntryNode(']],
    instead: `async function loadEntryDom() { ${MISSING_PART_CODE} }\n`,
  },
];

/** The files that have such parts. */
export const FEDERATION_PARTS = PARTS.map(
  ({ file }) => new RegExp(`/@module-federation/${file.replaceAll('.', '\\.')}$`),
);

/**
 * Leaves out of the federation runtime what no page uses.
 * @throws Error when a part is not where it was, so that an update stops the build
 */
export default function federationPartsLoader(this: { resourcePath: string }, source: string): string {
  const { cuts, instead = '' } = PARTS.find(({ file }) => this.resourcePath.endsWith(file)) ?? { cuts: [] };
  return cuts
    .reduce((left, [from, to]) => {
      const start = left.indexOf(from);
      const end = left.indexOf(to, start);
      if (start < 0 || end < 0) throw new Error(`${this.resourcePath} has no "${from.trim()}" before "${to.trim()}"`);
      return left.slice(0, start) + left.slice(end);
    }, source)
    .replace(/^/, instead);
}
