import { execFileSync } from 'node:child_process';
import { openProduct, type Message } from './product.ts';
import { ask, folderOf, ofDebian, PERL, programPath, PYTHON } from './programs.ts';
import { runTable, type RunTool } from './run.ts';

const LIBRARIES = ['standardwebhooks', 'svix', 'openai', 'replicate'];

/** With our sample, in the forms in which they hand it the body. */
const FRAMEWORKS = ['express', 'fastify'];

/** What writes a body again that was parsed: the package of Debian, and the command. */
const WRITERS: Record<string, [debian: string, command: string, ...args: string[]]> = {
  'json of Python': ['python3', PYTHON, '-c', 'import json, sys; print(json.dumps(json.load(sys.stdin)), end="")'],
  'json of Ruby': ['ruby', 'ruby', '-rjson', '-e', 'print JSON.generate(JSON.parse(STDIN.read))'],
  'json of PHP': ['php-cli', 'php', '-r', 'echo json_encode(json_decode(stream_get_contents(STDIN), true));'],
  'JSON::PP': ['perl', PERL, '-MJSON::PP', '-e', 'print encode_json(decode_json(join "", <STDIN>))'],
};

/** What became of each form of a message: `ok` and what it gave, or its error. */
type Told = Record<string, string>;

/**
 * Has libraries verify webhooks of the product.
 * @param only see `runTable`
 * @returns whether each does what docs/compatibility.md says
 */
export async function runWebhooks(only?: string): Promise<boolean> {
  const product = await openProduct();
  try {
    return await runTable('Our webhooks', listTools(await product.addWebhook()), only);
  } finally {
    await product.close();
  }
}

function listTools({ secret, receive }: { secret: string; receive: () => Promise<Message> }) {
  const tools: Record<string, RunTool> = {};
  for (const name of [...LIBRARIES, ...FRAMEWORKS]) {
    tools[name] = async (version) => {
      const args = [programPath('webhooks.mjs'), name, await folderOf(name, version)];
      const told = (await ask(process.execPath, args, { secret, ...(await receive()) })) as Told;
      return { does: FRAMEWORKS.includes(name) ? describeFramework(told) : describeLibrary(told) };
    };
  }
  for (const [name, [debian, command, ...args]] of Object.entries(WRITERS)) {
    tools[name] = ofDebian(debian, async () => {
      const { body } = await receive();
      const again = execFileSync(command, args, { input: body, encoding: 'utf8' });
      return `a body that was parsed and written again is ${again === body ? 'the same' : 'another one, which no signature is for'}`;
    });
  }
  return tools;
}

const isAccepted = (told = '') => told.startsWith('ok ') && told !== 'ok false';

function describeLibrary({ text = '', edited = '', 'an hour old': old, ...forms }: Told): string {
  if (!isAccepted(text)) return `cannot: ${text}`;
  if (isAccepted(edited)) throw new Error('It accepts an edited message');

  const words = [
    `accepts, and gives ${text.slice(3)}`,
    `a wrong signature ${edited === 'ok false' ? 'gives false' : 'throws'}`,
  ];
  const taken = Object.keys(forms).filter((form) => isAccepted(forms[form]));
  if (taken.length > 0) words.push(`takes ${taken.join(', ')} too`);
  for (const [form, told] of Object.entries(forms)) if (!isAccepted(told)) words.push(`${form}: “${told}”`);
  if (isAccepted(old)) words.push('does not look at the age');
  return words.join('; ');
}

function describeFramework(forms: Told): string {
  return Object.entries(forms)
    .map(([form, told]) => `${form}: ${isAccepted(told) ? 'accepted' : 'refused'}`)
    .join('; ');
}
