import csharpClient from '../../../../../samples/csharp/KeyClient.cs?raw';
import csharpVerifier from '../../../../../samples/csharp/KeyVerifier.cs?raw';
import goClient from '../../../../../samples/go/key_client.go?raw';
import goVerifier from '../../../../../samples/go/verify_key.go?raw';
import javaClient from '../../../../../samples/java/KeyClient.java?raw';
import javaVerifier from '../../../../../samples/java/KeyVerifier.java?raw';
import kotlinClient from '../../../../../samples/kotlin/KeyClient.kt?raw';
import kotlinVerifier from '../../../../../samples/kotlin/KeyVerifier.kt?raw';
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
  kotlin: [
    { name: 'KeyClient.kt', text: kotlinClient },
    { name: 'KeyVerifier.kt', text: kotlinVerifier },
  ],
  java: [
    { name: 'KeyClient.java', text: javaClient },
    { name: 'KeyVerifier.java', text: javaVerifier },
  ],
  csharp: [
    { name: 'KeyClient.cs', text: csharpClient },
    { name: 'KeyVerifier.cs', text: csharpVerifier },
  ],
  go: [
    { name: 'key_client.go', text: goClient },
    { name: 'verify_key.go', text: goVerifier },
  ],
} as const;
