import type { ReactNode } from 'react';

/** Stands for the time while its words are looked up. No text contains it. */
const PLACE = '\u0000';

/**
 * Puts a countdown where its message has the time, because languages differ in where that is.
 * @param say writes the message for a time
 */
export function putTime(say: (time: string) => string, countdown: ReactNode): ReactNode {
  const [before = '', after = ''] = say(PLACE).split(PLACE);

  return (
    <>
      {before && <span>{before.trim()} </span>}
      {countdown}
      {after && <span> {after.trim()}</span>}
    </>
  );
}
