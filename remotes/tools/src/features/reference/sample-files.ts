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
import typescriptWebhook from '../../../../../samples/webhooks/verify-webhook.ts?raw';
import pythonWebhook from '../../../../../samples/webhooks/verify_webhook.py?raw';
import { FILE_GRAMMARS } from './file-grammars.ts';

/** The files of the repository's `samples` folder: the build includes the same files that the tests run. */
export const SAMPLE_FILES = {
  typescript: [
    { name: 'key-client.ts', text: typescriptClient, language: 'typescript' },
    { name: 'verify-key.mjs', text: javascriptVerifier, language: 'typescript' },
    { name: 'verify-webhook.ts', text: typescriptWebhook, language: 'typescript' },
  ],
  python: [
    { name: 'key_client.py', text: pythonClient, language: 'python' },
    { name: 'verify_key.py', text: pythonVerifier, language: 'python' },
    { name: 'verify_webhook.py', text: pythonWebhook, language: 'python' },
  ],
  lua: [
    { name: 'key-client.lua', text: luaClient, language: 'lua' },
    { name: 'verify-key.lua', text: luaVerifier, language: 'lua' },
  ],
  kotlin: [
    { name: 'KeyClient.kt', text: kotlinClient, language: FILE_GRAMMARS.kotlin },
    { name: 'KeyVerifier.kt', text: kotlinVerifier, language: FILE_GRAMMARS.kotlin },
  ],
  java: [
    { name: 'KeyClient.java', text: javaClient, language: FILE_GRAMMARS.java },
    { name: 'KeyVerifier.java', text: javaVerifier, language: FILE_GRAMMARS.java },
  ],
  go: [
    { name: 'key_client.go', text: goClient, language: FILE_GRAMMARS.go },
    { name: 'verify_key.go', text: goVerifier, language: FILE_GRAMMARS.go },
  ],
} as const;

export type FileLanguage = keyof typeof SAMPLE_FILES;
