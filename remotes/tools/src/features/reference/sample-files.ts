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
import type { Language } from './highlight.ts';

const filesOf = (language: Language, files: Readonly<Record<string, string>>) =>
  Object.entries(files).map(([name, text]) => ({ name, text, language }));

/** The files of the repository's `samples` folder: the build includes the same files that the tests run. */
export const SAMPLE_FILES = {
  typescript: filesOf('typescript', {
    'key-client.ts': typescriptClient,
    'verify-key.mjs': javascriptVerifier,
    'verify-webhook.ts': typescriptWebhook,
  }),
  python: filesOf('python', {
    'key_client.py': pythonClient,
    'verify_key.py': pythonVerifier,
    'verify_webhook.py': pythonWebhook,
  }),
  lua: filesOf('lua', { 'key-client.lua': luaClient, 'verify-key.lua': luaVerifier }),
  kotlin: filesOf('kotlin', { 'KeyClient.kt': kotlinClient, 'KeyVerifier.kt': kotlinVerifier }),
  java: filesOf('java', { 'KeyClient.java': javaClient, 'KeyVerifier.java': javaVerifier }),
  go: filesOf('go', { 'key_client.go': goClient, 'verify_key.go': goVerifier }),
};

export type FileLanguage = keyof typeof SAMPLE_FILES;
