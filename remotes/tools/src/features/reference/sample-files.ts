import luaClient from '../../../../../samples/key-client/key-client.lua?raw';
import typescriptClient from '../../../../../samples/key-client/key-client.ts?raw';
import pythonClient from '../../../../../samples/key-client/key_client.py?raw';
import pythonVerifier from '../../../../../samples/key-client/verify_key.py?raw';
import javascriptVerifier from '../../../../../samples/verify-key/verify-key.mjs?raw';

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
  lua: [{ name: 'key-client.lua', text: luaClient }],
} as const;
