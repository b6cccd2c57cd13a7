import luaClient from '../../../../../samples/lua/key-client.lua?raw';
import luaVerifier from '../../../../../samples/lua/verify-key.lua?raw';
import typescriptClient from '../../../../../samples/typescript/key-client.ts?raw';
import pythonClient from '../../../../../samples/python/key_client.py?raw';
import pythonVerifier from '../../../../../samples/python/verify_key.py?raw';
import javascriptVerifier from '../../../../../samples/typescript/verify-key.mjs?raw';

/** The files of the repository's `samples` folder: the build includes the same files that the tests run. */
export const SAMPLE_FILES = {
  typescript: [
    { name: 'key-client.ts', text: typescriptClient },
    { name: 'verify-key.mjs', text: javascriptVerifier },
  ],
  python: [
    { name: 'key_client.py', text: pythonClient },
    { name: 'verify_key.py', text: pythonVerifier },
  ],
  lua: [
    { name: 'key-client.lua', text: luaClient },
    { name: 'verify-key.lua', text: luaVerifier },
  ],
} as const;
