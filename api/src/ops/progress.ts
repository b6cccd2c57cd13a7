/** How often the line is written: on a terminal, where it changes in place, and elsewhere, as in a log. */
const EVERY_MS = { terminal: 200, elsewhere: 10_000 };

/** Empties the line of a terminal. */
const CLEAR = '\r\u001B[2K';

interface Work {
  title: string;
  howFar: () => string;
  startedAt: number;
}

const works = new Set<Work>();
let hide: (() => void) | undefined;

/**
 * Shows on stderr how far some work is, until it ends. Works at the same time share a line.
 * @param howFar such as `12 of 300 tries`
 */
export async function withProgress<Result>(
  title: string,
  work: () => Promise<Result>,
  howFar?: () => string,
): Promise<Result> {
  const end = begin(title, howFar);
  try {
    return await work();
  } finally {
    end();
  }
}

/** Iterates over items, and shows how many of them are done. */
export function* counted<Item>(title: string, items: readonly Item[]): Generator<Item, void> {
  let done = 0;
  const end = begin(title, () => `${String(done)} of ${String(items.length)}`);
  try {
    for (const item of items) {
      yield item;
      done += 1;
    }
  } finally {
    end();
  }
}

/** Does something several times in sequence, and shows how often it was done. */
export async function repeatedly(title: string, count: number, work: (turn: number) => Promise<void>): Promise<void> {
  for (const turn of counted(title, [...Array(count).keys()])) await work(turn);
}

/** @returns what ends it */
function begin(title: string, howFar = () => ''): () => void {
  const entry = { title, howFar, startedAt: Date.now() };
  works.add(entry);
  hide ??= show();
  return () => {
    works.delete(entry);
    if (works.size > 0) return;
    hide?.();
    hide = undefined;
  };
}

/** @returns what hides it again */
function show(): () => void {
  const { stderr, stdout } = process;
  if (!stderr.isTTY) return repeat(() => stderr.write(`${describeAll()}\n`), EVERY_MS.elsewhere);

  const write = stderr.write.bind(stderr);
  const ends = [
    repeat(() => write(`${CLEAR}${describeAll().slice(0, stderr.columns - 1)}`), EVERY_MS.terminal),
    ...[stdout, stderr].filter(({ isTTY }) => isTTY).map((stream) => beforeEachWrite(stream, () => write(CLEAR))),
    () => void write(CLEAR),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function describeAll(): string {
  return [...works]
    .map(({ title, howFar, startedAt }) =>
      [`${title}:`, ...[howFar()].filter(Boolean).map((far) => `${far},`), secondsSince(startedAt)].join(' '),
    )
    .join(' · ');
}

const secondsSince = (startedAt: number) => `${String(Math.round((Date.now() - startedAt) / 1000))} s`;

function repeat(action: () => unknown, everyMs: number): () => void {
  const timer = setInterval(action, everyMs).unref();
  return () => clearInterval(timer);
}

/** Output of the program takes the place of the line. */
function beforeEachWrite(stream: NodeJS.WriteStream, action: () => unknown): () => void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (...args: unknown[]) => {
    action();
    return write(...args);
  };
  return () => Reflect.deleteProperty(stream, 'write');
}
