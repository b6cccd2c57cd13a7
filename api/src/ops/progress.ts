/** How often the line is written: on a terminal, where it changes in place, and elsewhere, as in a log. */
const INTERVALS_MS = { terminal: 200, elsewhere: 10_000 };

/** Empties the line of a terminal. */
const CLEAR_LINE = '\r\u001B[2K';

interface Task {
  title: string;
  howFar: () => string;
  startedAt: number;
}

const activeTasks = new Set<Task>();
let hideLine: (() => void) | undefined;

/**
 * Shows on stderr how far some work is, until it ends. Works at the same time share a line.
 * @param howFar such as `12 of 300 tries`
 */
export async function withProgress<Result>(
  title: string,
  work: () => Promise<Result>,
  howFar?: () => string,
): Promise<Result> {
  const end = startTask(title, howFar);
  try {
    return await work();
  } finally {
    end();
  }
}

/** Iterates over items, and shows how many of them are done. */
export function* trackItems<Item>(title: string, items: readonly Item[]): Generator<Item, void> {
  let done = 0;
  const end = startTask(title, () => `${String(done)} of ${String(items.length)}`);
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
export async function repeatWithProgress(
  title: string,
  count: number,
  work: (turn: number) => Promise<void>,
): Promise<void> {
  for (const turn of trackItems(title, [...Array(count).keys()])) await work(turn);
}

/** @returns what ends it */
function startTask(title: string, howFar = () => ''): () => void {
  const entry = { title, howFar, startedAt: Date.now() };
  activeTasks.add(entry);
  hideLine ??= show();
  return () => {
    activeTasks.delete(entry);
    if (activeTasks.size > 0) return;
    hideLine?.();
    hideLine = undefined;
  };
}

/** @returns what hides it again */
function show(): () => void {
  const { stderr, stdout } = process;
  if (!stderr.isTTY) return startInterval(() => stderr.write(`${describeAll()}\n`), INTERVALS_MS.elsewhere);

  const write = stderr.write.bind(stderr);
  const ends = [
    startInterval(() => write(`${CLEAR_LINE}${describeAll().slice(0, stderr.columns - 1)}`), INTERVALS_MS.terminal),
    ...[stdout, stderr].filter(({ isTTY }) => isTTY).map((stream) => hookWrites(stream, () => write(CLEAR_LINE))),
    () => void write(CLEAR_LINE),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function describeAll(): string {
  return [...activeTasks]
    .map(({ title, howFar, startedAt }) =>
      [`${title}:`, ...[howFar()].filter(Boolean).map((far) => `${far},`), secondsSince(startedAt)].join(' '),
    )
    .join(' · ');
}

const secondsSince = (startedAt: number) => `${String(Math.round((Date.now() - startedAt) / 1000))} s`;

function startInterval(action: () => unknown, everyMs: number): () => void {
  const timer = setInterval(action, everyMs).unref();
  return () => clearInterval(timer);
}

/** Output of the program takes the place of the line. */
function hookWrites(stream: NodeJS.WriteStream, action: () => unknown): () => void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (...args: unknown[]) => {
    action();
    return write(...args);
  };
  return () => Reflect.deleteProperty(stream, 'write');
}
