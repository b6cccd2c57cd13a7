import { EDITING_PATH } from '@app/contracts/working-copy';

/**
 * Follows the builds of the computer that a unit of this page comes from: a new one loads the page anew, and so does the
 * first one after a page that could not have it.
 * @param tell is called with the error of the last build, with `away` when the computer does not answer, and with
 *   undefined when all is well
 * @returns how to stop
 */
export function watchBuilds(origin: string, tell: (problem: string | undefined) => void): () => void {
  let shown: string | undefined;
  let wasAway = false;
  const events = new EventSource(origin + EDITING_PATH + '/events');
  events.onmessage = ({ data }: MessageEvent<string>) => {
    const { build, problem } = JSON.parse(data) as { build: string; problem: string };
    if (shown === undefined ? wasAway : shown !== build) return location.reload();

    shown = build;
    tell(problem || undefined);
  };
  events.onerror = () => {
    wasAway = true;
    tell('away');
  };
  return () => events.close();
}
