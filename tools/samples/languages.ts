import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasGo, hasJava, hasKotlin, KOTLIN_LIBRARIES } from '../machine/compilers.ts';
import { luaPaths, pythonPath } from '../machine/interpreters.ts';
import { compile } from './compile.ts';

const SAMPLES_FOLDER = fileURLToPath(new URL('../../samples/', import.meta.url));

/** A language of the samples, whose harness keeps to samples/test-protocol.md. */
export interface SampleLanguage {
  name: string;
  /** Whether what runs it is on this machine. */
  isThere: boolean;
  /** Gives the program that is its harness, with its first arguments. What is compiled is compiled here. */
  prepare: () => Promise<string[]> | string[];
  /** Another interpreter of a language that is here already. It is left out where one is enough. */
  isVariant?: boolean;
}

/** A Java that starts fast. What it runs here is soon over. */
const JAVA_OPTIONS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

const LANGUAGES: SampleLanguage[] = [
  {
    name: 'TypeScript',
    isThere: true,
    prepare: () => [process.execPath, `${SAMPLES_FOLDER}typescript/test/harness.ts`],
  },
  {
    name: 'Python',
    isThere: pythonPath() !== '',
    prepare: () => [pythonPath(), `${SAMPLES_FOLDER}python/test/harness.py`],
  },
  ...luaPaths().map((lua) => ({
    name: `Lua (${lua})`,
    isThere: true,
    isVariant: !['lua5.4', 'lua'].includes(lua),
    prepare: () => [lua, `${SAMPLES_FOLDER}lua/test/harness.lua`],
  })),
  { name: 'Go', isThere: hasGo(), prepare: prepareGo },
  { name: 'Java', isThere: hasJava(), prepare: prepareJava },
  { name: 'Kotlin', isThere: hasKotlin(), prepare: prepareKotlin },
];

/** The languages that this machine can run. In a CI `npm test` sees to it that it can run all. */
export const SAMPLE_LANGUAGES = LANGUAGES.filter(({ isThere }) => isThere);

async function prepareGo(): Promise<string[]> {
  // Without a word about the state of Git, which Go asks for in folders of other owners in vain.
  const command = (out: string) => ['go', 'build', '-buildvcs=false', '-o', `${out}/harness`, './test'];
  return [`${await compile({ folder: 'go', ending: 'go', command })}/harness`];
}

async function prepareJava(): Promise<string[]> {
  const command = (out: string, files: string[]) => ['javac', '-Xlint:all,-serial', '-Werror', '-d', out, ...files];
  return ['java', ...JAVA_OPTIONS, '-cp', await compile({ folder: 'java', ending: 'java', command }), 'Harness'];
}

async function prepareKotlin(): Promise<string[]> {
  const libraries = KOTLIN_LIBRARIES.join(delimiter);
  const command = (out: string, files: string[]) => {
    return ['kotlinc-jvm', '-Werror', '-jvm-target', '1.8', '-cp', libraries, '-d', out, ...files];
  };
  const classes = await compile({
    folder: 'kotlin',
    ending: 'kt',
    command,
    env: { JAVA_OPTS: JAVA_OPTIONS.join(' ') },
  });
  return ['java', ...JAVA_OPTIONS, '-cp', [classes, libraries].join(delimiter), 'keysystem.HarnessKt'];
}
