import { spawn, type ChildProcess, execFile } from 'node:child_process';
import { basename } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import * as v from 'valibot';

/** What an order gives that the process answered; or why it did not finish, which says nothing about the code. */
export type RunConfined = <Schema extends v.GenericSchema>(
  order: object,
  schema: Schema,
) => Promise<v.InferOutput<Schema> | { failure: string }>;

export interface ConfinedOptions {
  program: string;
  /** Whether to refuse to run where the system enforces no bounds of a process: on a site that has visitors. */
  mustConfine?: boolean;
  /** How long the process may take, in milliseconds: half a second on a machine with nothing else to do. */
  maxMs?: number;
  maxMb?: number;
  /** How much it may answer, in bytes. All pages of this site's largest remote are 0.7 MB. */
  maxBytes?: number;
  confine?: () => Promise<Confinement>;
}

const UNCONFINED_ERROR =
  'Code of releases runs confined alone, for which this system lacks bubblewrap or forbids its namespaces.';

const LINE_END = 10;

/** How much of a process's error output is read, in bytes. */
const MAX_STDERR_LENGTH = 4096;

/**
 * Makes the function that gives an order to a process of its own, which is started for it and ended after it. The code of
 * a release is code of a team: the process has an empty environment, and is confined. One that takes too long, grows too
 * large or answers too much is killed. The function never throws.
 */
export function createRunConfined({
  program,
  mustConfine = false,
  maxMs = 20_000,
  maxMb = 768,
  maxBytes = 4 * 1024 * 1024,
  confine = createConfine(program, { maxMb, maxSeconds: Math.ceil(maxMs / 1000) }),
}: ConfinedOptions): RunConfined {
  const run: RunConfined = async (order, schema) => {
    const { command, isEnforced } = await confine();
    if (mustConfine && !isEnforced) return { failure: UNCONFINED_ERROR };

    // Before there is a process, which nobody would end when this fails.
    const sent = JSON.stringify({ ...order, maxMs });
    const [name = '', ...args] = command;
    const child = spawn(name, args, {
      cwd: '/',
      env: EMPTY_ENVIRONMENT,
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
      timeout: maxMs,
      killSignal: 'SIGKILL',
      // A process group of its own: a signal to the whole group does not reach the server.
      detached: true,
    });
    return exchange(child, sent, schema, { maxMs, maxBytes });
  };

  return (order, schema) =>
    run(order, schema).catch((error: unknown) => ({ failure: `The renderer did not start: ${String(error)}` }));
}

function exchange<Schema extends v.GenericSchema>(
  child: ChildProcess,
  order: string,
  schema: Schema,
  { maxMs, maxBytes }: Required<Pick<ConfinedOptions, 'maxMs' | 'maxBytes'>>,
): Promise<v.InferOutput<Schema> | { failure: string }> {
  const { stdin, stderr, stdio } = child;
  let ended: string | undefined;
  const end = (why: string) => {
    ended ??= why;
    child.kill('SIGKILL');
  };
  const answer = collectOutput(stdio[3], maxBytes, () => end(`answered more than ${String(maxBytes)} bytes`));
  // An answer is one line. Whatever the process leaves running after it is not waited for.
  stdio[3]?.on('data', (chunk: Buffer) => chunk.at(-1) === LINE_END && end('answered nonsense'));
  const said = collectOutput(stderr, MAX_STDERR_LENGTH);
  // A process that has ended no longer reads; its exit says what was wrong.
  stdin?.on('error', () => undefined).end(order);

  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (child.killed) ended ??= `took longer than ${String(maxMs)} ms`;
      const why = ended ?? `was ended by ${signal ?? `code ${String(code)}`}. ${firstErrorLine(said())}`;
      resolve(parseAnswer(answer(), schema) ?? { failure: `The renderer ${why}`.trim() });
    });
  });
}

/** Gives what a stream has written so far. Output beyond `maxBytes` is dropped, and `onTooMuch` called once. */
function collectOutput(
  stream: Readable | Writable | null | undefined,
  maxBytes: number,
  onTooMuch?: () => void,
): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on('data', (chunk: Buffer) => {
    const isFull = bytes > maxBytes;
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else if (!isFull) onTooMuch?.();
  });
  // A killed process breaks its streams off, which is no failure of this one.
  stream?.on('error', () => undefined);
  return () => Buffer.concat(chunks).toString('utf8');
}

/** The line in which Node says why it ends; the lines around it have addresses of memory. */
function firstErrorLine(said: string): string {
  return /^.*\b(?:FATAL|Error)\b.*$/m.exec(said)?.[0] ?? '';
}

/** Stops at the first issue: the list of all issues in 4 MB of nonsense would take the memory of the server. */
function parseAnswer<Schema extends v.GenericSchema>(text: string, schema: Schema): v.InferOutput<Schema> | undefined {
  try {
    return v.parse(schema, JSON.parse(text), { abortEarly: true });
  } catch {
    return undefined;
  }
}

interface ResourceLimits {
  /** How much memory a process may use, in MB. Its heap is a third of that. */
  maxMb: number;
  /** How long it may compute, in seconds. It holds also when the server that would end it has died. */
  maxSeconds: number;
}

/** How much V8 maps for compiled code when it starts, in MB. It counts as data, though hardly any of it is used. */
const CODE_RANGE_SIZE_MB = 512;

/** A server gets three times as much of a busy core. At the lowest priority nothing would finish in time. */
const LOW_PRIORITY_COMMAND = ['nice', '-n', '5'];

/** The environment of a process that renders: no variable of the server. */
const EMPTY_ENVIRONMENT = { NODE_ENV: 'production' };

export interface Confinement {
  command: string[];
  /** Whether the system enforces the bounds. Otherwise only Node's permission model does, which forbids no sockets. */
  isEnforced: boolean;
}

/**
 * Makes the function that gives the command for running a program of Node confined. Bubblewrap gives it namespaces of
 * its own: it sees only Node and its libraries, without a network, other processes or sockets of the file system.
 * `prlimit` bounds its memory and computing time. Beneath that, Node's permission model lets it read its own file
 * alone, write nothing and start nothing.
 */
export function createConfine(program: string, { maxMb, maxSeconds }: ResourceLimits): () => Promise<Confinement> {
  // The code that runs there learns neither where the site lies nor the name of its machine.
  const inside = `/${basename(program)}`;
  // Listed when something is to run: it takes 20 ms, and most starts render nothing.
  const enforce = () => [
    ...['prlimit', `--data=${(maxMb + CODE_RANGE_SIZE_MB) * 1024 * 1024}`, `--cpu=${maxSeconds}`],
    ...['bwrap', '--unshare-user', '--unshare-all', '--uid', '65534', '--gid', '65534', '--cap-drop', 'ALL'],
    ...['--hostname', 'localhost', '--die-with-parent', '--new-session', '--chdir', '/'],
    ...[...listLibraries(), process.execPath].flatMap((path) => ['--ro-bind', path, path]),
    ...['--ro-bind', program, inside],
    ...['--ro-bind-try', '/etc/ld.so.cache', '/etc/ld.so.cache', '--remount-ro', '/'],
  ];
  const node = (path: string) => [
    process.execPath,
    `--max-old-space-size=${Math.floor(maxMb / 3)}`,
    // The modules that an entry imports are run in this process, from the order.
    ...['--experimental-vm-modules', '--permission', `--allow-fs-read=${path}`, '--no-warnings', path],
  ];
  let isEnforced = false;

  return async () => {
    // Checked again after a failure: the machine may have been busy, and a package can be installed at any time.
    const enforced = enforce();
    isEnforced ||= await canRun([...enforced, process.execPath, '--version']);
    return {
      command: [...LOW_PRIORITY_COMMAND, ...(isEnforced ? [...enforced, ...node(inside)] : node(program))],
      isEnforced,
    };
  };
}

function listLibraries(): string[] {
  // Without host names, which would be looked up.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { sharedObjects } = report.getReport() as { sharedObjects?: string[] };
  return (sharedObjects ?? []).filter((path) => path.startsWith('/'));
}

async function canRun([command = '', ...args]: readonly string[]): Promise<boolean> {
  try {
    await promisify(execFile)(command, args, { env: EMPTY_ENVIRONMENT });
    return true;
  } catch {
    return false;
  }
}

const MAX_SHOWN = 2000;

/** A frame of a stack in the renderer itself or in Node. It would reveal paths of this machine. */
const OWN_FRAME_PATTERN = /^ +at .*(?:file:|node:).*\n?/gm;

const CONTROL_CHARACTERS = /[^\P{Cc}\n]/gu;

/** A stack for its publisher, also in a terminal: only frames of the release, no control characters, bounded. */
export function presentStack(stack: string): string {
  return stack
    .replaceAll(process.execPath, 'node')
    .replace(OWN_FRAME_PATTERN, '')
    .replace(CONTROL_CHARACTERS, '')
    .trim()
    .slice(0, MAX_SHOWN);
}
