import { renderers, renderings } from '#api/foundation/telemetry/metrics.ts';

/** Counts a renderer as one that works now, until it has ended. */
export async function whileRendering<Result>(render: () => Promise<Result>): Promise<Result> {
  renderers.inc();
  try {
    return await render();
  } finally {
    renderers.dec();
  }
}

/** Counts what came of a rendering. */
export function countRendering({ thrown, failure }: { thrown: readonly unknown[]; failure?: string }): void {
  const outcome = thrown.length > 0 ? 'thrown' : 'rendered';
  renderings.inc({ outcome: failure === undefined ? outcome : 'failed' });
}
