import { fileURLToPath } from 'node:url';
import { luaPaths, pythonPath } from '../machine/interpreters.ts';

const SAMPLES = fileURLToPath(new URL('../../samples/', import.meta.url));

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

const LANGUAGES: SampleLanguage[] = [
  { name: 'TypeScript', isThere: true, prepare: () => [process.execPath, `${SAMPLES}typescript/test/harness.ts`] },
  {
    name: 'Python',
    isThere: pythonPath() !== '',
    prepare: () => [pythonPath(), `${SAMPLES}python/test/harness.py`],
  },
  ...luaPaths().map((lua) => ({
    name: `Lua (${lua})`,
    isThere: true,
    isVariant: !['lua5.4', 'lua'].includes(lua),
    prepare: () => [lua, `${SAMPLES}lua/test/harness.lua`],
  })),
];

/** The languages that this machine can run. `npm test` sees to it that it can run all. */
export const SAMPLE_LANGUAGES = LANGUAGES.filter(({ isThere }) => isThere);
